package org.naklab.lab.instruments.kernel.detail;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.naklab.lab.instruments.kernel.KernelRecorder;
import org.naklab.lab.instruments.kernel.RecorderSettings;
import org.naklab.lab.instruments.kernel.RecorderSource;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;

/** Records each absence, page fault and interrupt of 10 µs and longer of all threads of some processes, and counts them: what observing costs at the most. */
public final class ShortTimesInstrument implements Instrument {
    private static final long LEAST_NS = 10_000;
    private static final long PERIOD_NS = 1_000 * MILLISECOND_NS;

    private final LongAdder records = new LongAdder();
    private final KernelRecorder recorder;

    private ShortTimesInstrument(Collection<Long> pids) {
        recorder = KernelRecorder.start(
                RecorderSource.BPF,
                pids,
                RecorderSettings.ofShortTimes(LEAST_NS, List.of()),
                kernelRecord -> records.increment());
    }

    /**
     * Starts recording.
     *
     * @param pids on the host
     * @throws org.naklab.lab.core.timeline.DetectException if the kernel does not let it; the message says why, and what to do
     */
    public static ShortTimesInstrument start(Collection<Long> pids) {
        return new ShortTimesInstrument(pids);
    }

    @Override
    public String describe() {
        return "absences, page faults and interrupts of 10 us and longer of all threads: " + records.sum() + " records";
    }

    /** Nothing to poll: the recorder calls. */
    @Override
    public void sample(long nowNs, SampleSink sink) {}

    @Override
    public long periodNs() {
        return PERIOD_NS;
    }

    @Override
    public void close() {
        recorder.close();
    }
}
