package org.naklab.faults.host;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.Commands;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultProof;
import org.naklab.faults.ProofLog;
import org.naklab.faults.TargetProcess;
import org.naklab.faults.guard.Guard;

/**
 * A thread sends small datagrams over a {@link CostlyLoopback} from another CPU, and the CPU of the victim receives them. The kernel receives as many as its
 * weight in one soft interrupt and does not interrupt itself meanwhile, so that the cost of a datagram sets the length of a burst. The victim is pinned, so
 * that it cannot get out of the way.
 */
final class SoftirqStorm implements Fault {
    private static final long END_TIMEOUT_MS = 20_000;
    private static final long PROCESSED_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** The CPU of the victim may be a little faster than the one that was measured. */
    private static final double MARGIN = 1.1;

    private final SoftirqStormFault.Parameters parameters;
    private final TargetProcess target;
    private final Guard guard;
    private final ProofLog log = new ProofLog();
    private Guard.@Nullable Promise promise;
    private @Nullable ThreadStatistics victim;
    private @Nullable Thread storm;
    private String formerCpus = "";
    private volatile boolean isDisarmed;
    private volatile @Nullable RuntimeException failure;

    SoftirqStorm(SoftirqStormFault.Parameters parameters, TargetProcess target, Guard guard) {
        this.parameters = parameters;
        this.target = target;
        this.guard = guard;
    }

    @Override
    public void arm() {
        long armedNs = System.nanoTime();
        ThreadStatistics thread = ThreadStatistics.of(target, parameters.thread());
        int cpu = thread.lastCpu();
        int weight = SoftInterrupts.weight();
        formerCpus = thread.allowedCpus();
        promise = guard.toRestoreAffinity(target, thread.threadId(), formerCpus);
        victim = thread;
        Commands.run(guard.act(thread.toRestrict(Integer.toString(cpu))));
        Thread started = new Thread(() -> run(cpu, weight, armedNs), "naklab-storm");
        started.setDaemon(true);
        storm = started;
        started.start();
    }

    private void run(int cpu, int weight, long armedNs) {
        try {
            Commands.run(ThreadStatistics.ofCaller().toRestrict(others(cpu)));
            try (CostlyLoopback loopback = CostlyLoopback.open()) {
                log.set("datagramNs", loopback.makeCostly(Math.round(MARGIN * parameters.burstNs() / weight)));
                log.set("filters", loopback.filters());
                loopback.steerTo(cpu);
                log.set("preparationNs", System.nanoTime() - armedNs);
                awaitUntil(armedNs + TimeUnit.MILLISECONDS.toNanos(parameters.leadMs()));
                for (int i = 0; i < parameters.bursts() && !isDisarmed; i++) {
                    burst(loopback, cpu, weight);
                }
            }
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private void awaitUntil(long dueNs) {
        while (System.nanoTime() < dueNs && !isDisarmed) {
            LockSupport.parkNanos(POLL_NS);
        }
    }

    private void burst(CostlyLoopback loopback, int cpu, int weight) {
        long processed = SoftInterrupts.datagrams(cpu);
        long netRx = SoftInterrupts.count("NET_RX", cpu);
        long beginNs = System.nanoTime();
        loopback.send(weight);
        while (SoftInterrupts.datagrams(cpu) < processed + weight
                && !isDisarmed
                && System.nanoTime() - beginNs < PROCESSED_TIMEOUT_NS) {
            LockSupport.parkNanos(POLL_NS);
        }
        long endNs = System.nanoTime();
        long grown = SoftInterrupts.datagrams(cpu) - processed;
        long netRxGrown = SoftInterrupts.count("NET_RX", cpu) - netRx;
        log.set("cpu", cpu);
        log.set("longestBurstNs", Math.max(log.figure("longestBurstNs"), endNs - beginNs));
        if (grown >= weight && netRxGrown > 0 && endNs - beginNs >= parameters.burstNs() / 2) {
            log.fired(beginNs, endNs, "CPU " + cpu + " of " + parameters.thread());
        }
        log.add("netRxGrowth", netRxGrown);
        log.add("processedDatagrams", grown);
    }

    private static String others(int cpu) {
        return IntStream.range(0, SoftInterrupts.cpus())
                .filter(other -> other != cpu)
                .mapToObj(Integer::toString)
                .reduce((one, other) -> one + ',' + other)
                .orElseThrow(() -> new FaultException("a storm of soft interrupts needs a second CPU"));
    }

    @Override
    public void disarm() {
        Thread started = storm;
        if (started != null) {
            isDisarmed = true;
            awaitEnd(started);
            storm = null;
        }
        ThreadStatistics thread = victim;
        Guard.Promise promised = promise;
        if (thread != null && promised != null) {
            if (target.isAlive() && thread.isAlive()) {
                Commands.run(thread.toRestrict(formerCpus));
            }
            promised.kept();
        }
        victim = null;
        promise = null;
    }

    private static void awaitEnd(Thread started) {
        try {
            started.join(END_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (started.isAlive()) {
            throw new FaultException("the storm of soft interrupts does not end");
        }
    }

    @Override
    public FaultProof proof() {
        RuntimeException failed = failure;
        return log.proof(
                "the kernel processed the datagrams on the CPU of " + parameters.thread() + ", in bursts of up to "
                        + TimeUnit.NANOSECONDS.toMillis(log.figure("longestBurstNs")) + " ms",
                failed == null
                        ? "the kernel did not process the datagrams on the CPU of " + parameters.thread()
                                + ", or too fast: the longest burst took "
                                + TimeUnit.NANOSECONDS.toMillis(log.figure("longestBurstNs")) + " ms"
                        : "the storm failed: " + failed.getMessage());
    }
}
