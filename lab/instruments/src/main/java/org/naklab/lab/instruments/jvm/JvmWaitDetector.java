package org.naklab.lab.instruments.jvm;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
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

    private static final int MAX_FRAMES = 16;

    /** In the names of classes that no source has. */
    private static final String MADE_BY_JVM = "$$Lambda";

    /** Code that others call to wait: what they waited for begins behind it. */
    private static final List<String> LIBRARY = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

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
                    event.getStartTime(),
                    event.getDuration(),
                    whatOf(event),
                    framesOf(event.getStackTrace()));
        }
    }

    /** @param frames innermost first */
    void tell(String thread, Instant begin, Duration length, String what, List<String> frames) {
        Map<String, Object> details = Map.of(
                "durationNs", length.toNanos(),
                "what", what,
                "where", whereOf(frames),
                "stack", String.join(" < ", frames));
        listener.onEvent(new TimelineEvent(times.toNs(begin), TimelineEventType.JAVA_WAIT, process, thread, details));
    }

    private static String whereOf(List<String> frames) {
        return frames.stream()
                .filter(frame -> LIBRARY.stream().noneMatch(frame::startsWith))
                .findFirst()
                .or(() -> frames.stream().findFirst())
                .orElse("");
    }

    private static String whatOf(RecordedEvent event) {
        return switch (event.getEventType().getName()) {
            case "jdk.ThreadSleep" -> "slept";
            case "jdk.ThreadPark" ->
                "parked"
                        + className(event, "parkedClass")
                                .map(name -> " for " + name)
                                .orElse("");
            case "jdk.JavaMonitorEnter" -> "waited for the lock of " + monitor(event) + heldBy(event);
            case "jdk.JavaMonitorWait" -> "waited to be notified by " + monitor(event);
            case "jdk.FileRead" -> "read from " + file(event);
            case "jdk.FileWrite" -> "wrote to " + file(event);
            case "jdk.FileForce" -> "forced to the disk " + file(event);
            case "jdk.SocketRead" -> "read from " + peer(event);
            default -> "wrote to " + peer(event);
        };
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

    private static List<String> framesOf(@Nullable RecordedStackTrace stack) {
        return stack == null
                ? List.of()
                : stack.getFrames().stream()
                        .map(JvmWaitDetector::frame)
                        .filter(frame -> !frame.contains(MADE_BY_JVM))
                        .limit(MAX_FRAMES)
                        .toList();
    }

    private static String frame(RecordedFrame frame) {
        RecordedMethod method = frame.getMethod();
        String line = frame.getLineNumber() > 0 ? ":" + frame.getLineNumber() : "";
        return method.getType().getName() + '.' + method.getName() + line;
    }
}
