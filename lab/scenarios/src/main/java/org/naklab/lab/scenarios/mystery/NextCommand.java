package org.naklab.lab.scenarios.mystery;

import java.util.concurrent.TimeUnit;
import org.naklab.lab.core.Program;
import org.naklab.lab.core.ShellWord;
import org.naklab.lab.scenarios.BufferSizing;
import org.naklab.lab.scenarios.RunPlan;

/** The command line of a run like another one, with a different remedy: only what is usual is left out. */
final class NextCommand {
    private static final long USUAL_SEED = 42;

    private NextCommand() {}

    /** @param remedy the word of the command line */
    static String of(RunPlan plan, String remedy) {
        StringBuilder command = new StringBuilder(ShellWord.of(Program.name()) + " run mystery");
        if (plan.seed() != USUAL_SEED) {
            command.append(" --seed ").append(plan.seed());
        }
        if (plan.fidelity() != MysteryFidelities.ALL.get(0).fidelity()) {
            command.append(" --fidelity ").append(plan.fidelity());
        }
        command.append(" --remedy ").append(remedy);
        BufferSizing stall = plan.traffic().stall();
        if (stall != null && stall.stallNs() != Mystery.STALL_NS) {
            command.append(" --stall ")
                    .append(TimeUnit.NANOSECONDS.toMillis(stall.stallNs()))
                    .append("ms");
        }
        if (plan.placement().composition() != null) {
            command.append(" --attach --project ")
                    .append(ShellWord.of(plan.placement().composition().project()));
        }
        return command.toString();
    }
}
