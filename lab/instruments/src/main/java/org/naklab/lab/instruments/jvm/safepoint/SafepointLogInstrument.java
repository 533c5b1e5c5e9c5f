package org.naklab.lab.instruments.jvm.safepoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.JvmEvent;
import org.naklab.lab.core.timeline.JvmEvent.GcPause;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.linux.MonotonicConverter;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;

/**
 * Reports safepoints, and collections with their CPU time, from the log that a JVM writes while it runs. Unlike a recording it needs nothing of the JVM but a line for
 * each safepoint, so it suits a process whose memory is under test. Who requested an operation is not in the log.
 */
public final class SafepointLogInstrument implements Instrument {
    private static final int CHUNK_BYTES = 64 * 1024;

    private final String process;
    private final Path file;
    private final long thresholdNs;
    private final TimelineListener listener;
    private final FileChannel channel;
    private final MonotonicConverter times = MonotonicConverter.ofSystem();
    private final SafepointTable table = new SafepointTable();
    private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
    private String begun = "";

    private SafepointLogInstrument(
            String process, Path file, Duration threshold, TimelineListener listener, FileChannel channel) {
        this.process = process;
        this.file = file;
        thresholdNs = threshold.toNanos();
        this.listener = listener;
        this.channel = channel;
    }

    /**
     * Opens the log of a JVM that was started with {@link org.naklab.lab.core.safepoint.JvmLogOption}.
     *
     * @param file of the log; once it is open, its file system may go
     * @param threshold shorter pauses are only summed up
     * @throws DetectException there is no such file, or it may not be read
     */
    public static SafepointLogInstrument attach(
            String process, Path file, Duration threshold, TimelineListener listener) {
        try {
            return new SafepointLogInstrument(process, file, threshold, listener, FileChannel.open(file));
        } catch (IOException e) {
            throw new DetectException("cannot read the log of the JVM of " + process + ": " + e.getMessage(), e);
        }
    }

    @Override
    public String describe() {
        return "safepoints and collections of " + process + " by the JVM's log";
    }

    /** Does nothing: the log is read in {@link #refresh}. */
    @Override
    public void sample(long nowNs, SampleSink sink) {}

    @Override
    public void refresh(long nowNs) {
        complete();
    }

    /** Reports what the log has so far. Any thread. */
    public synchronized void complete() {
        try {
            while (channel.read(chunk.clear()) > 0) {
                take(StandardCharsets.UTF_8.decode(chunk.flip()).toString());
            }
        } catch (IOException e) {
            throw new DetectException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private void take(String text) {
        String all = begun + text;
        int end = all.lastIndexOf('\n') + 1;
        begun = all.substring(end);
        report(SafepointLog.of(all.substring(0, end).lines().toList()));
    }

    private void report(SafepointLog log) {
        log.safepoints().forEach(this::onSafepoint);
        log.collections().stream()
                .filter(collection -> collection.endNs() - collection.beginNs() >= thresholdNs)
                .forEach(collection -> listener.onEvent(new GcPause(
                        process,
                        "",
                        new Interval(collection.beginNs(), collection.endNs()),
                        "",
                        collection.name(),
                        collection.id())));
        log.cpuTimes()
                .forEach(
                        cpu -> listener.onEvent(new GcPause.CpuTime(cpu.timeNs(), process, "", cpu.id(), cpu.cpuNs())));
    }

    private void onSafepoint(Safepoint safepoint) {
        Instant begin = times.toInstant(safepoint.beginNs());
        table.add(
                safepoint.operation(),
                safepoint.lengthNs(),
                safepoint.toSafepointNs(),
                begin.getEpochSecond() * Units.SECOND_NS + begin.getNano());
        if (safepoint.lengthNs() >= thresholdNs) {
            listener.onEvent(new JvmEvent.Safepoint(
                    process,
                    "",
                    new Interval(safepoint.beginNs(), safepoint.beginNs() + safepoint.lengthNs()),
                    safepoint.toSafepointNs(),
                    safepoint.operation(),
                    ""));
        }
    }

    /** Returns the safepoints so far, by operation: all of them after {@link #complete}. Any thread. */
    public synchronized List<SafepointTable.Row> safepoints() {
        return table.rows();
    }

    @Override
    public synchronized void close() {
        try (channel) {
            complete();
        } catch (IOException e) {
            throw new DetectException("cannot close " + file + ": " + e.getMessage(), e);
        }
    }
}
