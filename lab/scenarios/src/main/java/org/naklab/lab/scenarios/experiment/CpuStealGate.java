package org.naklab.lab.scenarios.experiment;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.instruments.linux.CpuSteal;

/**
 * Waits for the hypervisor to leave this machine its processors: while it takes them away, a run can only say so. Nothing is stolen from a
 * machine that wants nothing, so each look wants all processors for a moment.
 */
public final class CpuStealGate {
    private static final Path STAT = Path.of("/proc/stat");
    private static final double MAX_STOLEN_SHARE = 0.1;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long BETWEEN_LOOKS_MS = 2_000;
    private static final int MAX_LOOKS = 48;

    private final DoubleSupplier stolenShare;
    private final Pause pause;

    /** Between two looks. */
    interface Pause {
        void take() throws InterruptedException;
    }

    public CpuStealGate() {
        this(() -> stolenShare(STAT, processors -> wantAll(processors, LOOK_NS)), () -> Thread.sleep(BETWEEN_LOOKS_MS));
    }

    /** @param stolenShare what a look shows: of the processor that lost most, 0 to 1; 0 where the machine does not tell */
    CpuStealGate(DoubleSupplier stolenShare, Pause pause) {
        this.stolenShare = stolenShare;
        this.pause = pause;
    }

    /**
     * Returns at once, but for the look, when nine tenths of each processor are this machine's; otherwise waits for that, for two minutes at
     * most.
     *
     * @param teller is told when there is something to wait for
     * @return whether the machine was left its processors at the last look
     */
    public boolean await(Cancellation cancellation, Consumer<String> teller) throws InterruptedException {
        double share = stolenShare.getAsDouble();
        if (share > MAX_STOLEN_SHARE) {
            teller.accept(String.format(
                    Locale.ROOT, "CPU steal is %.0f %% of one core; waiting up to 2 min for it to drop", share * 100));
        }
        for (int look = 1; share > MAX_STOLEN_SHARE && look < MAX_LOOKS && !cancellation.isRequested(); look++) {
            pause.take();
            share = stolenShare.getAsDouble();
        }
        return share <= MAX_STOLEN_SHARE;
    }

    /**
     * Returns the share of one CPU that was stolen while all CPUs were in demand.
     *
     * @param want wants so many processors for a while
     */
    static double stolenShare(Path stat, IntConsumer want) {
        if (!Files.isReadable(stat)) {
            return 0;
        }
        try (CpuSteal stolen = new CpuSteal(stat)) {
            long[] before = stolenNs(stolen);
            long beganNs = System.nanoTime();
            want.accept(stolen.processors());
            long lastedNs = System.nanoTime() - beganNs;
            long[] after = stolenNs(stolen);
            return IntStream.range(0, after.length)
                    .mapToDouble(processor -> (after[processor] - before[processor]) / (double) lastedNs)
                    .max()
                    .orElse(0);
        }
    }

    private static long[] stolenNs(CpuSteal stolen) {
        stolen.read();
        return IntStream.range(0, stolen.processors())
                .mapToLong(stolen::stolenNs)
                .toArray();
    }

    private static void wantAll(int processors, long forNs) {
        long untilNs = System.nanoTime() + forNs;
        CompletableFuture<?>[] wanting = IntStream.range(0, processors)
                .mapToObj(processor -> CompletableFuture.runAsync(
                        () -> spin(untilNs), spinning -> new Thread(spinning, "wants-" + processor).start()))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(wanting).join();
    }

    private static void spin(long untilNs) {
        while (System.nanoTime() - untilNs < 0) {
            Thread.onSpinWait();
        }
    }
}
