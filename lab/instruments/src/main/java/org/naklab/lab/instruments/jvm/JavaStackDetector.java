package org.naklab.lab.instruments.jvm;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.linux.MonotonicConverter;
import org.naklab.lab.instruments.threads.WatchedThreads;

/**
 * Makes {@link TimelineEventType#JAVA_STACK} of consecutive stack samples of a thread that are in the same method: what Java code a thread executed, or
 * what Java code called the native code that it stood still in. JFR samples threads without a safepoint. Thread-safe.
 */
final class JavaStackDetector {
    /** Java code, and native code that Java code called, with the period of the samples: those of the JDK's default.jfc. JFR samples one thread in native code per period, and a thread that returns from native code meanwhile waits until its stack is walked. */
    static final Map<String, Duration> EVENTS = new LinkedHashMap<>();

    private static final String NATIVE_SAMPLE = "jdk.NativeMethodSample";

    static {
        EVENTS.put("jdk.ExecutionSample", Duration.ofMillis(20));
        EVENTS.put(NATIVE_SAMPLE, Duration.ofMillis(20));
    }

    /** JFR takes native samples of one thread after the other. */
    private static final long MAX_GAP_NS = 100_000_000;

    private static final long LEAST_NS = 20_000_000;

    private final String process;
    private final WatchedThreads threads;
    private final TimelineListener listener;
    private final MonotonicConverter times;
    private final Map<String, Spell> spells = new HashMap<>();

    /** Samples of one thread in one method. */
    private record Spell(Interval interval, long osThread, boolean isNative, List<String> frames) {
        boolean goesOnWith(Spell next) {
            return next.isNative == isNative
                    && next.interval.beginNs() - interval.endNs() <= MAX_GAP_NS
                    && method().equals(next.method());
        }

        private String method() {
            return JavaFrames.method(JavaFrames.own(frames));
        }
    }

    /** @param threads whose stacks are reported */
    JavaStackDetector(String process, WatchedThreads threads, TimelineListener listener, MonotonicConverter times) {
        this.process = process;
        this.threads = threads;
        this.listener = listener;
        this.times = times;
    }

    void onSample(RecordedEvent event) {
        RecordedThread thread = event.getThread("sampledThread");
        if (thread != null && thread.getJavaName() != null && threads.contains(thread.getJavaName())) {
            boolean isNative = event.getEventType().getName().equals(NATIVE_SAMPLE);
            take(
                    thread.getJavaName(),
                    thread.getOSThreadId(),
                    times.toNs(event.getStartTime()),
                    isNative,
                    JavaFrames.of(event.getStackTrace()));
        }
    }

    /**
     * @param osThread its id for the system; 0: unknown
     * @param frames innermost first
     */
    synchronized void take(String thread, long osThread, long timeNs, boolean isNative, List<String> frames) {
        Spell sample = new Spell(new Interval(timeNs, timeNs), osThread, isNative, frames);
        Spell last = spells.get(thread);
        if (last != null && last.goesOnWith(sample)) {
            spells.put(
                    thread,
                    new Spell(new Interval(last.interval().beginNs(), timeNs), osThread, isNative, last.frames()));
        } else {
            report(thread, last);
            spells.put(thread, sample);
        }
    }

    /** Reports what has not ended. */
    synchronized void finish() {
        spells.forEach(this::report);
        spells.clear();
    }

    private void report(String thread, @Nullable Spell spell) {
        if (spell != null && spell.interval().lengthNs() >= LEAST_NS) {
            listener.onEvent(new ThreadEvent.JavaStack(
                    spell.interval(),
                    process,
                    thread,
                    new ThreadEvent.JavaStack.Code(spell.isNative(), JavaFrames.own(spell.frames()), spell.frames()),
                    new ThreadEvent.Ids(spell.osThread(), null)));
        }
    }
}
