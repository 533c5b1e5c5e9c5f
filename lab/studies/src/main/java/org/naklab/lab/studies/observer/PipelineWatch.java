package org.naklab.lab.studies.observer;

import java.nio.file.Path;
import java.util.List;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.InstrumentCost;
import org.naklab.lab.instruments.series.SampleWriter;
import org.naklab.lab.instruments.watch.IncidentRecorder;
import org.naklab.lab.instruments.watch.InstrumentRunner;
import org.naklab.lab.process.Role;
import org.naklab.lab.replica.observation.InstrumentSet;
import org.naklab.lab.replica.observation.ObservedProcess;
import org.naklab.lab.replica.observation.ServiceInstruments;

/**
 * Runs the instruments of a run, except the replica's own, on the pipeline of another process: samples are written to a file, and the
 * incident recorder runs.
 */
final class PipelineWatch implements AutoCloseable {
    private static final NanoClock CLOCK = SystemNanoClock.INSTANCE;
    private static final String SERVICE = "mds";
    private static final TimelineListener UNHEARD = event -> {};

    private final InstrumentRunner runner;
    private final List<String> blind;
    private final long beginNs;
    private long elapsedNs;

    /**
     * Attaches and starts.
     *
     * @param aeronDirectory of the service's driver
     * @param directory exists; takes what a run writes into its own
     * @throws DetectException if an instrument that the sampler reads cannot observe
     */
    PipelineWatch(long pid, String aeronDirectory, Path directory) {
        IncidentRecorder recorder = new IncidentRecorder(directory, IncidentRecorder.DEFAULT_TRIPS);
        runner = new InstrumentRunner(
                CLOCK,
                UNHEARD,
                List.of(
                        SampleWriter.create(directory.resolve("samples.csv.gz"), SampleWriter.DEFAULT_MAX_ROWS),
                        recorder),
                error -> {
                    throw new IllegalStateException("an instrument failed", error);
                });
        InstrumentSet instruments = new InstrumentSet(runner);
        ObservedProcess process = new ObservedProcess(SERVICE, Role.SERVICE, pid, Path.of(aeronDirectory), false);
        ServiceInstruments service = ServiceInstruments.attach(instruments, process, recorder, directory);
        ServiceInstruments.attachToMachine(instruments, List.of(process));
        if (!service.isComplete()) {
            runner.close();
            throw new DetectException(
                    "cannot measure all instruments of a run: " + String.join("; ", instruments.blind()));
        }
        blind = instruments.blind();
        instruments.start();
        beginNs = CLOCK.nanoTime();
    }

    /** Returns the recordings that are not available here and so not measured, each one line with the reason. */
    List<String> blind() {
        return blind;
    }

    /** Returns the costs of the instruments, once this is closed. */
    List<InstrumentCost> costs() {
        return runner.costs();
    }

    /** Returns the time of observation, ns, once this is closed. */
    long elapsedNs() {
        return elapsedNs;
    }

    @Override
    public void close() {
        elapsedNs = CLOCK.nanoTime() - beginNs;
        runner.close();
    }
}
