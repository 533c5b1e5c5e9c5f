package org.naklab.lab.studies.observer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.naklab.lab.core.process.AskedProcess;
import org.naklab.lab.instruments.linux.ProcessSignals;
import org.naklab.lab.instruments.threads.ThreadStat;
import org.naklab.lab.studies.observer.OverheadEstimate.Round;
import org.naklab.lab.tools.pipeline.BenchDirectory;
import org.naklab.lab.tools.threads.KernelProgramTimes;
import org.naklab.lab.tools.threads.ThreadTimes;

/**
 * Runs of the pipeline in slices, of two tenths of a second with all instruments and of one without, in turns. Attached they are all the
 * time; in the slices without them, their process is halted as a whole, and those that the replica has in itself are off; only the programs of the kernel recorder go on in the kernel, and are timed there. What changes
 * more slowly than the slices do, the machine's speed above all, is the same with and without.
 */
final class InterleavedRun {
    private final AskedProcess pipeline;
    private final AskedProcess observer;
    private final PipelineSlices slices;
    private final BenchDirectory directory;
    private final List<Round> rounds = new ArrayList<>();
    private final List<Round> replicaRounds = new ArrayList<>();
    private final ObserverCost cost = new ObserverCost();

    /** @param events of the pipeline's feed */
    InterleavedRun(AskedProcess pipeline, AskedProcess observer, BenchDirectory directory, int events) {
        this.pipeline = pipeline;
        this.observer = observer;
        this.directory = directory;
        slices = new PipelineSlices(pipeline, events);
    }

    /** Runs the whole feed with all instruments on. */
    InstrumentCosts runWatched() throws IOException {
        launch();
        pipeline.send(PipelineProcess.ON);
        ProcessHandle process = ProcessHandle.of(observer.pid()).orElseThrow();
        KernelProgramTimes begin = KernelProgramTimes.of(process);
        long beginNs = System.nanoTime();
        while (!slices.isOver()) {
            PipelineSlices.pause(PipelineSlices.ALONE_NS);
        }
        cost.addKernelPrograms(KernelProgramTimes.of(process).since(begin), System.nanoTime() - beginNs);
        return end();
    }

    /**
     * Runs in slices until the feed ends or there are enough rounds.
     *
     * @param wanted rounds, with those of earlier runs
     */
    void run(int wanted) {
        launch();
        PipelineSlices.warmUp();
        ProcessSignals.stop(observer.pid());
        try (ThreadStat sampler = ThreadTimes.open(observer.pid(), ObserverCost.SAMPLER)) {
            takeTurns(wanted, sampler);
        } finally {
            ProcessSignals.resume(observer.pid());
        }
        end();
    }

    /** Returns the rounds in the order of time. */
    List<Round> rounds() {
        return rounds;
    }

    /** Returns the rounds in which only the replica's own instruments were on, one between every two of the others. */
    List<Round> replicaRounds() {
        return replicaRounds;
    }

    ObserverCost cost() {
        return cost;
    }

    private void launch() {
        String aeronDirectory = slices.launch();
        observer.send(String.join(
                " ",
                ObserverProcess.WATCH,
                Long.toString(pipeline.pid()),
                aeronDirectory,
                directory.made().toString()));
        String unused = observer.next();
        slices.go();
    }

    private InstrumentCosts end() {
        observer.send(ObserverProcess.END);
        InstrumentCosts costs = InstrumentCosts.parse(observer.next());
        slices.end();
        return costs;
    }

    private void takeTurns(int wanted, ThreadStat sampler) {
        ThreadTimes begin = ThreadTimes.of(observer.pid());
        List<Turn> turns =
                List.of(new Turn(() -> watchedRate(sampler), rounds), new Turn(this::replicaRate, replicaRounds));
        Turn.take(turns, slices::aloneRate, wanted);
        cost.add(ThreadTimes.of(observer.pid()).since(begin));
    }

    private OptionalDouble replicaRate() {
        PipelineSlices.Look from = slices.look();
        pipeline.send(PipelineProcess.ON);
        OptionalDouble rate = slices.besideRate(from);
        pipeline.send(PipelineProcess.OFF);
        return rate;
    }

    private OptionalDouble watchedRate(ThreadStat sampler) {
        long samplerNs = ThreadTimes.cpuNs(sampler);
        PipelineSlices.Look from = slices.look();
        long beginNs = System.nanoTime();
        pipeline.send(PipelineProcess.ON);
        ProcessSignals.resume(observer.pid());
        OptionalDouble rate = slices.besideRate(from);
        pipeline.send(PipelineProcess.OFF);
        ProcessSignals.stop(observer.pid());
        cost.addSlice(System.nanoTime() - beginNs, ThreadTimes.cpuNs(sampler) - samplerNs);
        return rate;
    }
}
