package org.naklab.lab.campaign;

import java.util.List;
import java.util.SplittableRandom;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.core.Program;
import org.naklab.lab.core.ShellWord;
import org.naklab.lab.runs.history.RunRow;
import org.naklab.lab.scenarios.Verdict;

/** Runs nothing: computes each result from its seed, so that a campaign, its engine and its database can be tried within seconds. */
public final class Rehearsal implements SeedRunner {
    private static final List<String> CLAIMS = List.of("every message was received", "no NAK was sent");
    private static final List<String> CAUSES = List.of("network-loss", "slow-callback", "cpu-preemption");
    private static final int MIN_MS = 4_000;
    private static final int MAX_MS = 9_000;
    private static final double MAX_STALL_MS = 200;
    private static final int MAX_NAKS = 500;

    private final double failures;

    /** @param failures share of seeds that fail, 0 to 1 */
    public Rehearsal(double failures) {
        this.failures = failures;
    }

    @Override
    public SeedResult run(Cell cell, long seed, List<String> faults, Cancellation cancellation) {
        SplittableRandom random = Mixing.random("rehearsal", cell, seed);
        boolean isFailed = random.nextDouble() < failures || cell.isCanary();
        long elapsedMs = random.nextLong(MIN_MS, MAX_MS);
        String replay = ShellWord.of(Program.name()) + " run " + cell.scenario() + " --seed " + seed + " --remedy "
                + cell.arm();
        if (!isFailed) {
            return new SeedResult(Verdict.PASS, null, "none", replay, elapsedMs, 0, 0, 0, receivers(0), null);
        }
        int naks = random.nextInt(1, MAX_NAKS);
        return new SeedResult(
                Verdict.FAIL,
                CLAIMS.get(random.nextInt(CLAIMS.size())),
                CAUSES.get(random.nextInt(CAUSES.size())),
                replay,
                elapsedMs,
                random.nextDouble() * MAX_STALL_MS,
                naks,
                random.nextInt(MAX_NAKS),
                receivers(naks),
                null);
    }

    private static List<RunRow.Receiver> receivers(int naks) {
        return List.of(new RunRow.Receiver(ProcessNames.SERVICE, naks, naks), new RunRow.Receiver("gateway-1", 0, 0));
    }
}
