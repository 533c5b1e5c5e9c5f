package org.naklab.lab.detect;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * Safepoints with the time to reach them, and collections, by JFR event streaming: of this JVM, or of another on this machine by
 * {@code jcmd}. Only four kinds of events are enabled, each at most a few a second. JFR hands events over about once a second.
 */
public final class JvmInstrument implements Instrument {
    /** The stalls that are looked for are longer. */
    public static final Duration DEFAULT_THRESHOLD = Duration.ofMillis(10);

    static final String SAFEPOINT_BEGIN = "jdk.SafepointBegin";
    static final String SAFEPOINT_SYNCHRONIZATION = "jdk.SafepointStateSynchronization";
    static final String SAFEPOINT_END = "jdk.SafepointEnd";
    static final String GARBAGE_COLLECTION = "jdk.GarbageCollection";
    static final List<String> EVENTS =
            List.of(SAFEPOINT_BEGIN, SAFEPOINT_SYNCHRONIZATION, SAFEPOINT_END, GARBAGE_COLLECTION);

    private final String process;
    private final EventStream stream;
    private final JvmRule rule;
    private final @Nullable RemoteRecording remote;

    private JvmInstrument(String process, EventStream stream, JvmRule rule, @Nullable RemoteRecording remote) {
        this.process = process;
        this.stream = stream;
        this.rule = rule;
        this.remote = remote;
        stream.onEvent(SAFEPOINT_BEGIN, rule::onSafepointBegin);
        stream.onEvent(SAFEPOINT_SYNCHRONIZATION, rule::onSynchronised);
        stream.onEvent(SAFEPOINT_END, rule::onSafepointEnd);
        stream.onEvent(GARBAGE_COLLECTION, rule::onGarbageCollection);
        stream.setOrdered(true);
        stream.setReuse(false);
        stream.startAsync();
    }

    /** Of this JVM. */
    public static JvmInstrument ofThisProcess(String process, Duration threshold, TimelineListener listener) {
        RecordingStream stream = new RecordingStream();
        EVENTS.forEach(event -> stream.enable(event).withoutThreshold().withoutStackTrace());
        JvmRule rule = new JvmRule(process, threshold, listener, MonotonicTimes.ofSystem());
        return new JvmInstrument(process, stream, rule, null);
    }

    /**
     * Of another JVM, in which a recording is started; its data go into the directory and away at the end.
     *
     * @throws DetectException there is no {@code jcmd}, or the process is no JVM that answers it
     */
    public static JvmInstrument ofProcess(
            String process, long pid, Path directory, Duration threshold, TimelineListener listener) {
        return of(process, RemoteRecording.start(pid, directory, EVENTS), threshold, listener);
    }

    /** The same, with its data where that JVM keeps them. */
    public static JvmInstrument ofProcess(String process, long pid, Duration threshold, TimelineListener listener) {
        return of(process, RemoteRecording.start(pid, EVENTS), threshold, listener);
    }

    private static JvmInstrument of(
            String process, RemoteRecording remote, Duration threshold, TimelineListener listener) {
        try {
            EventStream stream = EventStream.openRepository(remote.repository());
            stream.setStartTime(Instant.now());
            JvmRule rule = new JvmRule(process, threshold, listener, MonotonicTimes.ofSystem());
            return new JvmInstrument(process, stream, rule, remote);
        } catch (IOException e) {
            remote.close();
            throw new DetectException("cannot stream JFR of process " + process + ": " + e.getMessage(), e);
        }
    }

    @Override
    public String describe() {
        return "JFR of " + process + ": safepoints and collections, a second late";
    }

    /** Nothing to poll: JFR calls. */
    @Override
    public void sample(long nowNs, SampleSink sink) {}

    @Override
    public long periodNs() {
        return 1_000 * MILLISECOND_NS;
    }

    /** So far; any thread. */
    public JvmSummary summary() {
        return rule.summary();
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
        MonotonicTimes times = MonotonicTimes.ofSystem();
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
        if (remote != null) {
            remote.close();
        }
    }
}
