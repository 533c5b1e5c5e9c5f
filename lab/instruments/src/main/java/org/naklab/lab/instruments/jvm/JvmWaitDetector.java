package org.naklab.lab.instruments.jvm;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadEvent;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.linux.MonotonicConverter;
import org.naklab.lab.instruments.threads.WatchedThreads;

/**
 * Makes {@code JAVA_WAIT} of what JFR says that some threads waited for, and where in their code. JFR's times are of the wall clock, as
 * in {@link JvmEventDetector}. One thread, JFR's.
 */
final class JvmWaitDetector {
    static final List<String> EVENTS = List.of(
            "jdk.ThreadSleep",
            "jdk.ThreadPark",
            "jdk.JavaMonitorEnter",
            "jdk.JavaMonitorWait",
            "jdk.FileRead",
            "jdk.FileWrite",
            "jdk.FileForce",
            "jdk.SocketRead",
            "jdk.SocketWrite");

    /** Of these JFR records the stack by default, in every version. */
    static final List<String> STACK_UNASKED = List.of("jdk.ThreadPark", "jdk.JavaMonitorEnter", "jdk.JavaMonitorWait");

    private static final String LOCKS = "java.util.concurrent.locks.";

    private final String process;
    private final WatchedThreads threads;
    private final TimelineListener listener;
    private final MonotonicConverter times;

    /** @param threads whose waits are told; a busy process has others that wait for hours */
    JvmWaitDetector(String process, WatchedThreads threads, TimelineListener listener, MonotonicConverter times) {
        this.process = process;
        this.threads = threads;
        this.listener = listener;
        this.times = times;
    }

    String describe() {
        return "long waits of " + threads;
    }

    void onWait(RecordedEvent event) {
        RecordedThread thread = event.getThread();
        if (thread != null && thread.getJavaName() != null && threads.contains(thread.getJavaName())) {
            tell(
                    thread.getJavaName(),
                    thread.getOSThreadId(),
                    event.getStartTime(),
                    event.getDuration(),
                    waitOf(event),
                    JavaFrames.of(event.getStackTrace()));
        }
    }

    /**
     * Tells what a thread waited for.
     *
     * @param what as a clause: {@code waited for the lock of a.B, held by c}
     * @param object the lock, the file or the peer, and its holder where JFR knows it; empty if there is none
     */
    record Wait(AccountKind kind, String what, String object) {
        private static Wait of(AccountKind kind, String verb, String object) {
            return new Wait(kind, verb + ' ' + object, object);
        }
    }

    /**
     * @param osThread its id for the system; 0: unknown
     * @param frames innermost first
     */
    void tell(String thread, long osThread, Instant begin, Duration length, Wait wait, List<String> frames) {
        long beginNs = times.toNs(begin);
        listener.onEvent(new ThreadEvent.JavaWait(
                new Interval(beginNs, beginNs + length.toNanos()),
                process,
                thread,
                new ThreadEvent.JavaWait.Call(wait.what(), JavaFrames.own(frames), frames),
                new ThreadEvent.JavaWait.Lock(wait.kind().label(), wait.object()),
                new ThreadEvent.Ids(osThread, null)));
    }

    private static Wait waitOf(RecordedEvent event) {
        return switch (event.getEventType().getName()) {
            case "jdk.ThreadSleep" -> new Wait(AccountKind.SLEEP, "slept", "");
            case "jdk.ThreadPark" -> parked(className(event, "parkedClass").orElse(""));
            case "jdk.JavaMonitorEnter" ->
                Wait.of(AccountKind.LOCK, "waited for the lock of", monitor(event) + heldBy(event));
            case "jdk.JavaMonitorWait" -> Wait.of(AccountKind.OTHER_WAIT, "waited to be notified by", monitor(event));
            case "jdk.FileRead" -> Wait.of(AccountKind.DISK, "read from", file(event));
            case "jdk.FileWrite" -> Wait.of(AccountKind.DISK, "wrote to", file(event));
            case "jdk.FileForce" -> Wait.of(AccountKind.DISK, "forced to the disk", file(event));
            case "jdk.SocketRead" -> Wait.of(AccountKind.SOCKET, "read from", peer(event));
            default -> Wait.of(AccountKind.SOCKET, "wrote to", peer(event));
        };
    }

    /** A lock of {@code java.util.concurrent.locks} parks on its synchronizer. */
    static Wait parked(String type) {
        if (type.isEmpty()) {
            return new Wait(AccountKind.SLEEP, "parked", "");
        }
        boolean isLock = type.startsWith(LOCKS) && type.endsWith("Sync");
        return Wait.of(isLock ? AccountKind.LOCK : AccountKind.SLEEP, "parked for", type);
    }

    private static String monitor(RecordedEvent event) {
        return className(event, "monitorClass").orElse("an object");
    }

    /** A pipe or a terminal has no path. */
    private static String file(RecordedEvent event) {
        @Nullable String path = event.getString("path");
        return path == null ? "a file without a name" : path;
    }

    private static Optional<String> className(RecordedEvent event, String field) {
        @Nullable RecordedClass type = event.getClass(field);
        return Optional.ofNullable(type).map(RecordedClass::getName);
    }

    private static String heldBy(RecordedEvent event) {
        @Nullable RecordedThread owner = event.getThread("previousOwner");
        return owner == null || owner.getJavaName() == null ? "" : ", held by " + owner.getJavaName();
    }

    private static String peer(RecordedEvent event) {
        return event.getString("address") + ':' + event.getInt("port");
    }
}
