package org.naklab.lab.instruments.jvm;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.EventSettings;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.linux.MonotonicConverter;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.threads.WatchedThreads;

/**
 * Safepoints with the time to reach them and their operation, collections, and what some threads waited for, by JFR event streaming: of this JVM, or of
 * another on this machine by {@code jcmd}. Few kinds of events are enabled, each at most a few a second. JFR hands events over about once a
 * second.
 */
public final class JvmInstrument implements Instrument {
    /** The stalls that are looked for are longer. */
    public static final Duration DEFAULT_THRESHOLD = Duration.ofMillis(10);

    static final String SAFEPOINT_BEGIN = "jdk.SafepointBegin";
    static final String SAFEPOINT_SYNCHRONIZATION = "jdk.SafepointStateSynchronization";
    static final String VM_OPERATION = "jdk.ExecuteVMOperation";
    static final String SAFEPOINT_END = "jdk.SafepointEnd";
    static final String GARBAGE_COLLECTION = "jdk.GarbageCollection";
    /** Not in each version of JDK 17, and of the collectors G1, Parallel and Serial only. A JVM that does not know it ignores it. */
    static final String GC_CPU_TIME = "jdk.GCCPUTime";

    static final List<String> PAUSES = List.of(
            SAFEPOINT_BEGIN, SAFEPOINT_SYNCHRONIZATION, VM_OPERATION, SAFEPOINT_END, GARBAGE_COLLECTION, GC_CPU_TIME);

    /** The setting of an event that {@link #wantsStack} is the value of. */
    static final String STACK_TRACE = "stackTrace";

    private final String process;
    private final EventStream stream;
    private final JvmEventDetector rule;
    private final @Nullable JvmWaitDetector waits;
    private final @Nullable JavaStackDetector stacks;
    private final @Nullable RemoteRecording remote;
    private volatile boolean hasEnded;
    /** When its end was noticed; 0: the stream goes on. */
    private volatile long endedNs;

    private JvmInstrument(
            String process,
            EventStream stream,
            JvmEventDetector rule,
            @Nullable JvmWaitDetector waits,
            @Nullable JavaStackDetector stacks,
            @Nullable RemoteRecording remote) {
        this.process = process;
        this.stream = stream;
        this.rule = rule;
        this.waits = waits;
        this.stacks = stacks;
        this.remote = remote;
        rule.safepointHandlers().forEach(stream::onEvent);
        stream.onEvent(GARBAGE_COLLECTION, rule::onGarbageCollection);
        stream.onEvent(GC_CPU_TIME, rule::onCpuTime);
        if (waits != null) {
            JvmWaitDetector.EVENTS.forEach(event -> stream.onEvent(event, waits::onWait));
        }
        if (stacks != null) {
            JavaStackDetector.EVENTS.keySet().forEach(event -> stream.onEvent(event, stacks::onSample));
        }
        stream.onClose(() -> hasEnded = true);
        stream.setOrdered(true);
        stream.setReuse(false);
        stream.startAsync();
    }

    /**
     * Creates an instrument for this JVM.
     *
     * @param threads those whose waits are told; null: nobody's
     */
    public static JvmInstrument ofThisProcess(
            String process, Duration threshold, @Nullable WatchedThreads threads, TimelineListener listener) {
        RecordingStream stream = new RecordingStream();
        events(threshold, threads).forEach((event, shortest) -> enable(stream, event, shortest));
        samples(threads).forEach((event, period) -> stream.enable(event).withPeriod(period));
        return of(process, stream, threshold, threads, listener, null);
    }

    private static void enable(RecordingStream stream, String event, Duration shortest) {
        EventSettings settings = stream.enable(event).withThreshold(shortest);
        if (wantsStack(event)) {
            settings.withStackTrace();
        }
    }

    /**
     * Creates an instrument for another JVM by starting a recording in it. Its data are written to the directory and deleted at the end.
     *
     * @param threads those whose waits are told; null: nobody's
     * @throws DetectException there is no {@code jcmd}, or the process is no JVM that answers it
     */
    public static JvmInstrument ofProcess(
            String process,
            long pid,
            Path directory,
            Duration threshold,
            @Nullable WatchedThreads threads,
            TimelineListener listener) {
        return of(
                process,
                RemoteRecording.start(pid, directory, events(threshold, threads), samples(threads)),
                threshold,
                threads,
                listener);
    }

    /** Creates an instrument for another JVM, with the data in that JVM's own directory. */
    public static JvmInstrument ofProcess(
            String process, long pid, Duration threshold, @Nullable WatchedThreads threads, TimelineListener listener) {
        return of(
                process,
                RemoteRecording.start(pid, events(threshold, threads), samples(threads)),
                threshold,
                threads,
                listener);
    }

    /** Creates an instrument for a JVM that is known by its recording only; returns when all of that was read. */
    static JvmInstrument ofFile(
            String process, Path recording, MonotonicConverter times, Duration threshold, TimelineListener listener)
            throws IOException, InterruptedException {
        JvmInstrument instrument = of(process, EventStream.openFile(recording), times, threshold, null, listener, null);
        instrument.stream.awaitTermination();
        return instrument;
    }

    /** Returns whether a process is a JVM; false if its mappings cannot be read. */
    public static boolean isJvm(long pid) {
        try {
            return RemoteRecording.isJvm(pid);
        } catch (IOException goneOrNotPermitted) {
            return false;
        }
    }

    /** Returns whether the stack of an event must be enabled in JFR. JDK 17 records the stack of a sleep by default, JDK 25 does not. */
    static boolean wantsStack(String event) {
        return JvmWaitDetector.EVENTS.contains(event) && !JvmWaitDetector.STACK_UNASKED.contains(event);
    }

    /** Short pauses are summed up, short waits are everyday's. */
    private static Map<String, Duration> events(Duration threshold, @Nullable WatchedThreads threads) {
        Map<String, Duration> events = new LinkedHashMap<>();
        PAUSES.forEach(pause -> events.put(pause, Duration.ZERO));
        if (threads != null) {
            JvmWaitDetector.EVENTS.forEach(wait -> events.put(wait, threshold));
        }
        return events;
    }

    private static Map<String, Duration> samples(@Nullable WatchedThreads threads) {
        return threads == null ? Map.of() : JavaStackDetector.EVENTS;
    }

    private static JvmInstrument of(
            String process,
            RemoteRecording remote,
            Duration threshold,
            @Nullable WatchedThreads threads,
            TimelineListener listener) {
        try {
            remote.requireFiles();
            EventStream stream = EventStream.openRepository(remote.repository());
            stream.setStartTime(Instant.now());
            return of(process, stream, threshold, threads, listener, remote);
        } catch (IOException e) {
            remote.close();
            throw new DetectException("cannot stream JFR of process " + process + ": " + e.getMessage(), e);
        } catch (DetectException e) {
            remote.close();
            throw e;
        }
    }

    private static JvmInstrument of(
            String process,
            EventStream stream,
            Duration threshold,
            @Nullable WatchedThreads threads,
            TimelineListener listener,
            @Nullable RemoteRecording remote) {
        return of(process, stream, MonotonicConverter.ofSystem(), threshold, threads, listener, remote);
    }

    private static JvmInstrument of(
            String process,
            EventStream stream,
            MonotonicConverter times,
            Duration threshold,
            @Nullable WatchedThreads threads,
            TimelineListener listener,
            @Nullable RemoteRecording remote) {
        JvmEventDetector rule = new JvmEventDetector(process, threshold, listener, times);
        JvmWaitDetector waits = threads == null ? null : new JvmWaitDetector(process, threads, listener, times);
        JavaStackDetector stacks = threads == null ? null : new JavaStackDetector(process, threads, listener, times);
        return new JvmInstrument(process, stream, rule, waits, stacks, remote);
    }

    @Override
    public String title() {
        return "JFR";
    }

    /** A stream that has ended by itself sees nothing any more. */
    @Override
    public long reachedNs(long nowNs) {
        return endedNs == 0 ? nowNs : endedNs;
    }

    @Override
    public String describe() {
        return "JFR of " + process + ": safepoints, collections"
                + (waits == null ? "" : ", " + waits.describe() + ", their Java stacks every 20 ms")
                + ", a second late";
    }

    /** Does nothing: JFR calls the instrument. */
    @Override
    public void sample(long nowNs, SampleSink sink) {}

    /** Looks at what JFR is about to read of another process. */
    @Override
    public void refresh(long nowNs) {
        if (hasEnded && endedNs == 0) {
            endedNs = nowNs;
        }
        if (remote != null) {
            remote.requireFiles();
        }
    }

    @Override
    public long periodNs() {
        return 1_000 * MILLISECOND_NS;
    }

    /** Returns what there was so far; any thread. */
    public JvmSummary summary() {
        return rule.summary();
    }

    /** Returns the safepoints so far, by operation: all of them after {@link #completeSafepoints} or {@link #close}. Any thread. */
    public List<SafepointTable.Row> safepoints() {
        return rule.safepoints();
    }

    /**
     * Asks another JVM for the safepoints of the last second or so, which JFR has not handed over yet. That JVM halts for a moment.
     *
     * @throws DetectException the process has ended, or does not answer
     */
    public void completeSafepoints() {
        if (remote != null) {
            remote.dump(rule::finish);
        }
    }

    /**
     * Dumps {@code window.jfr} of another JVM: JFR keeps whole chunks, so that there may be more in it than the window. That JVM halts
     * for a moment.
     *
     * @throws DetectException JFR has nothing of that time, or the process has ended
     */
    public void keepWindow(Path directory, long fromNs, long toNs) {
        if (remote == null) {
            throw new DetectException("no JFR of the window: only another process's is dumped");
        }
        MonotonicConverter times = MonotonicConverter.ofSystem();
        remote.dump(directory.resolve("window.jfr"), times.toInstant(fromNs), times.toInstant(toNs));
    }

    /** To be said when another JVM is about to end: closing then waits for that, and does not ask it to stop recording. */
    public void expectEnd() {
        if (remote != null) {
            remote.leave();
        }
    }

    @Override
    public void close() {
        stream.close();
        if (stacks != null) {
            stacks.finish();
        }
        if (remote != null) {
            remote.close(rule::finish);
        }
    }
}
