package org.naklab.lab.studies.observer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.naklab.lab.instruments.linux.ProcessSignals;
import org.naklab.lab.instruments.threads.ThreadStat;
import org.naklab.lab.studies.observer.OverheadEstimate.Round;
import org.naklab.lab.tools.pipeline.BenchDirectory;
import org.naklab.lab.tools.threads.KernelProgramTimes;
import org.naklab.lab.tools.threads.ThreadTimes;

/**
 * Runs of the pipeline in slices, of two tenths of a second with all instruments and of one without, in turns. Attached they are all the
 * time; in the slices without them, their process is halted as a whole, and those that the replica has in itself are off; only the programs of the kernel recorder go on in the kernel, and are timed there. What changes
 * more slowly than the slices do, the machine's speed above all, is the same with and without. A slice with them is the longer one
 * because all threads of a halted process wake up when it goes on, which is no part of watching.
 */
final class InterleavedRun {
    private static final long ALONE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long WATCHED_NS = 2 * ALONE_NS;

    /** Time for attaching, ns; its cost is not part of observing, which lasts. */
    private static final long ATTACH_NS = TimeUnit.SECONDS.toNanos(2);

    /** A new service's code is compiled, and its journal's first pages are made, in the first of its messages. */
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(1);

    private final BenchChild pipeline;
    private final BenchChild observer;
    private final BenchDirectory directory;
    private final int events;
    private final List<Round> rounds = new ArrayList<>();
    private final List<Round> replicaRounds = new ArrayList<>();
    private final ObserverCost cost = new ObserverCost();

    /** @param events of the pipeline's feed */
    InterleavedRun(BenchChild pipeline, BenchChild observer, BenchDirectory directory, int events) {
        this.pipeline = pipeline;
        this.observer = observer;
        this.directory = directory;
        this.events = events;
    }

    /** Runs the whole feed with all instruments on. */
    InstrumentCosts runWatched() throws IOException {
        launch();
        pipeline.send(PipelineProcess.ON);
        ProcessHandle process = ProcessHandle.of(observer.pid()).orElseThrow();
        KernelProgramTimes begin = KernelProgramTimes.of(process);
        long beginNs = System.nanoTime();
        while (look().events() < events) {
            pause(ALONE_NS);
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
        pause(WARM_UP_NS);
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
        pipeline.send(PipelineProcess.RUN);
        String aeronDirectory = pipeline.answer();
        observer.send(String.join(
                " ",
                ObserverProcess.WATCH,
                Long.toString(pipeline.pid()),
                aeronDirectory,
                directory.made().toString()));
        observer.answer();
        pause(ATTACH_NS);
        pipeline.send(PipelineProcess.GO);
    }

    private InstrumentCosts end() {
        observer.send(ObserverProcess.END);
        InstrumentCosts costs = InstrumentCosts.parse(observer.answer());
        pipeline.send(PipelineProcess.END);
        pipeline.answer();
        return costs;
    }

    private void takeTurns(int wanted, ThreadStat sampler) {
        ThreadTimes begin = ThreadTimes.of(observer.pid());
        OptionalDouble before = rate(look(), ALONE_NS);
        while (before.isPresent() && rounds.size() < wanted) {
            OptionalDouble between = addRound(rounds, before.getAsDouble(), watchedRate(sampler));
            before = between.isPresent()
                    ? addRound(replicaRounds, between.getAsDouble(), replicaRate())
                    : OptionalDouble.empty();
        }
        cost.add(ThreadTimes.of(observer.pid()).since(begin));
    }

    /** Ends a round by a slice without instruments, and returns that slice's rate. */
    private OptionalDouble addRound(List<Round> to, double before, OptionalDouble watched) {
        OptionalDouble after = rate(look(), ALONE_NS);
        if (watched.isPresent() && after.isPresent()) {
            to.add(Round.between(before, watched.getAsDouble(), after.getAsDouble()));
        }
        return after;
    }

    private OptionalDouble replicaRate() {
        Look from = look();
        pipeline.send(PipelineProcess.ON);
        OptionalDouble rate = rate(from, WATCHED_NS);
        pipeline.send(PipelineProcess.OFF);
        return rate;
    }

    private OptionalDouble watchedRate(ThreadStat sampler) {
        long samplerNs = ThreadTimes.cpuNs(sampler);
        Look from = look();
        long beginNs = System.nanoTime();
        pipeline.send(PipelineProcess.ON);
        ProcessSignals.resume(observer.pid());
        OptionalDouble rate = rate(from, WATCHED_NS);
        pipeline.send(PipelineProcess.OFF);
        ProcessSignals.stop(observer.pid());
        cost.addSlice(System.nanoTime() - beginNs, ThreadTimes.cpuNs(sampler) - samplerNs);
        return rate;
    }

    /** Events a second from that look to one a slice later; none if the feed has ended meanwhile. */
    private OptionalDouble rate(Look from, long sliceNs) {
        pause(sliceNs);
        Look to = look();
        if (to.events() >= events) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(1e9 * (to.events() - from.events()) / (to.timeNs() - from.timeNs()));
    }

    private Look look() {
        pipeline.send(PipelineProcess.LOOK);
        String[] fields = pipeline.answer().split(" ", -1);
        return new Look(Long.parseLong(fields[0]), Long.parseLong(fields[1]));
    }

    private static void pause(long ns) {
        long endNs = System.nanoTime() + ns;
        for (long leftNs = ns; leftNs > 0; leftNs = endNs - System.nanoTime()) {
            LockSupport.parkNanos(leftNs);
        }
    }

    /** The progress of the pipeline at a time. */
    private record Look(long timeNs, long events) {}
}
