package org.naklab.lab.studies.observer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.process.AskedProcess;
import org.naklab.lab.studies.observer.OverheadEstimate.Round;
import org.naklab.lab.tools.threads.ThreadTimes;

/**
 * Measures what {@code naklab watch} costs: what its processes take of a core, and what the receiver that it watches pays for each datagram, in turns with and without a
 * watch. The kernel's account of CPU times is not changed by other load.
 */
public final class WatchCost {
    private static final String READY = "watching";
    private static final long ATTACH_NS = TimeUnit.SECONDS.toNanos(60);

    private static final double LEAST_SHARE = 0.000_1;
    /** For each datagram, so many take most of a core at the usual rate. */
    private static final int CHECKSUMS = 400;

    private WatchCost() {}

    /** A receiver. */
    public enum Load {
        /** It waits for datagrams most of the time. */
        WAITING(0),
        /** It works most of the time. */
        BUSY(CHECKSUMS);

        private final int checksums;

        Load(int checksums) {
            this.checksums = checksums;
        }
    }

    /**
     * A mean with the interval that has the true one in it with 95 % confidence.
     *
     * @param mean of the rounds
     */
    public record Estimate(double mean, double from, double to) {
        /** The quantiles of Student's distribution for so many rounds less one. */
        private static final double[] STUDENT_95 = {
            12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.10,
            2.09
        };

        private static final double NORMAL_95 = 1.96;

        /** Estimates from at least two rounds. */
        static Estimate of(List<Double> values) {
            double mean =
                    values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
            double squares = values.stream()
                    .mapToDouble(value -> (value - mean) * (value - mean))
                    .sum();
            int freedom = values.size() - 1;
            double quantile = freedom <= STUDENT_95.length ? STUDENT_95[freedom - 1] : NORMAL_95;
            double error = quantile * Math.sqrt(squares / freedom / values.size());
            return new Estimate(mean, mean - error, mean + error);
        }
    }

    /**
     * The results for one receiver.
     *
     * @param rounds each with a watch, between two times without
     * @param receiverCoreShare what the receiving thread takes of a core without a watch, 0 to 1
     * @param loss the share of its datagrams that the receiver loses for the same CPU time, 0 to 1; below 0 when a watch seems to help, which is noise
     * @param coreShare what all processes of the watch take of a core, 0 to 1
     * @param threadCoreShares by process and thread of the watch, the busiest first; the kernel cuts a name after 15 letters
     * @param lostShare the datagrams that were sent and not received, with and without a watch, 0 to 1
     */
    public record Figures(
            Load load,
            int rounds,
            double receiverCoreShare,
            Estimate loss,
            Estimate coreShare,
            Map<String, Double> threadCoreShares,
            double lostShare) {}

    /** Tells what the threads of a watch have taken by a time. */
    private record Times(long timeNs, Map<Long, ThreadTimes> byProcess) {
        static Times of(ProcessHandle watch) {
            Map<Long, ThreadTimes> times = new LinkedHashMap<>();
            Stream.concat(Stream.of(watch), watch.descendants())
                    .forEach(process -> times.put(process.pid(), ThreadTimes.of(process.pid())));
            return new Times(System.nanoTime(), times);
        }

        /** Returns the shares of a core since an earlier time, by process and thread. */
        Map<String, Double> since(Times earlier) {
            Map<String, Double> shares = new TreeMap<>();
            byProcess.forEach((pid, times) -> times.since(
                            earlier.byProcess.getOrDefault(pid, new ThreadTimes(Map.of())))
                    .forEach((thread, ns) -> shares.merge(
                            thread.replaceAll("\\d+$", ""), (double) ns / (timeNs - earlier.timeNs), Double::sum)));
            return shares;
        }
    }

    /**
     * Measures.
     *
     * @param watch the command that watches; the id of the receiver follows
     * @param perSecond datagrams a second
     * @param rounds at least 2
     * @param settleNs time in which the code of a watch is compiled, and which is not measured
     * @param sliceNs length of a time with or without a watch
     * @param progress told how many rounds are done
     */
    public static Figures run(
            List<String> watch,
            Load load,
            long perSecond,
            int rounds,
            long settleNs,
            long sliceNs,
            IntConsumer progress)
            throws IOException {
        List<Round> capacities = new ArrayList<>();
        List<Double> cores = new ArrayList<>();
        List<Double> busy = new ArrayList<>();
        List<Double> lost = new ArrayList<>();
        Map<String, Double> threads = new TreeMap<>();
        try (ReceiverSlices slices = ReceiverSlices.start(perSecond, load.checksums)) {
            ReceiverSlices.Slice before = slices.measure(sliceNs);
            for (int i = 0; i < rounds; i++) {
                progress.accept(i);
                ReceiverSlices.Slice beside;
                try (AskedProcess watching = start(watch, slices.pid(), settleNs)) {
                    ProcessHandle process = ProcessHandle.of(watching.pid()).orElseThrow();
                    Times from = Times.of(process);
                    beside = slices.measure(sliceNs);
                    Map<String, Double> shares = Times.of(process).since(from);
                    shares.forEach((thread, share) -> threads.merge(thread, share / rounds, Double::sum));
                    cores.add(shares.values().stream()
                            .mapToDouble(Double::doubleValue)
                            .sum());
                }
                ReceiverSlices.Slice after = slices.measure(sliceNs);
                capacities.add(Round.between(before.perCpuSecond(), beside.perCpuSecond(), after.perCpuSecond()));
                busy.add(after.perSecond() / after.perCpuSecond());
                lost.add(beside.lostShare());
                before = after;
            }
        }
        Map<String, Double> sorted = new LinkedHashMap<>();
        threads.entrySet().stream()
                .filter(thread -> thread.getValue() >= LEAST_SHARE)
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .forEach(thread -> sorted.put(thread.getKey(), thread.getValue()));
        return new Figures(
                load,
                rounds,
                busy.stream().mapToDouble(Double::doubleValue).average().orElse(0),
                Estimate.of(capacities.stream().map(Round::loss).toList()),
                Estimate.of(cores),
                sorted,
                lost.stream().mapToDouble(Double::doubleValue).average().orElse(0));
    }

    private static AskedProcess start(List<String> watch, long pid, long settleNs) {
        List<String> command = new ArrayList<>(watch);
        command.add(Long.toString(pid));
        AskedProcess watching =
                AskedProcess.start("watch", new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT));
        try {
            if (watching.awaitLine(line -> line.contains(READY), ATTACH_NS).isEmpty()) {
                throw new LabException("the watch did not begin: " + watching.endedHow());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted while a watch began", e);
        }
        PipelineSlices.pause(settleNs);
        return watching;
    }
}
