package org.naklab.lab.cli;

import java.nio.file.Path;
import java.util.Locale;
import org.naklab.lab.process.ArrivalPattern;
import org.naklab.lab.process.Idle;
import org.naklab.lab.process.RateLimiting;
import org.naklab.lab.scenario.RunPlan;
import org.naklab.lab.scenario.Workload;
import org.naklab.messaging.TransportProfile;

/** The command that runs a plan again. */
final class Replay {
    private static final double NS_PER_SECOND = 1e9;

    private Replay() {}

    /** As the program was called, for hints. */
    static String program() {
        return System.getProperty("naklab.command", "naklab");
    }

    static String command(RunPlan plan) {
        Workload workload = plan.workload();
        StringBuilder command = new StringBuilder(program() + " run " + plan.scenario() + " --seed " + plan.seed());
        Path source = workload.source();
        if (source == null) {
            command.append(" --instruments ").append(workload.instruments());
            add(command, "--arrival", workload.arrival(), ArrivalPattern.CONSTANT);
        } else {
            command.append(" --source ").append(source);
        }
        command.append(workload.speed() == 0 ? " --rate " + rate(workload) : " --speed " + workload.speed());
        if (workload.durationNs() != Long.MAX_VALUE) {
            command.append(String.format(Locale.ROOT, " --duration %.9f", workload.durationNs() / NS_PER_SECOND)
                    .replaceFirst("\\.?0+$", ""));
        }
        add(command, "--profile", plan.profile(), TransportProfile.LBTRM);
        add(command, "--rate-limiting", plan.rateLimiting(), RateLimiting.TRANSPORT);
        add(command, "--idle", plan.idle(), Idle.BACKOFF);
        return command.toString();
    }

    private static String rate(Workload workload) {
        return workload.eventsPerSecond() == 0 ? "max" : String.valueOf(workload.eventsPerSecond());
    }

    private static void add(StringBuilder command, String option, Enum<?> value, Enum<?> usual) {
        if (value != usual) {
            command.append(' ').append(option).append(' ').append(value.name().toLowerCase(Locale.ROOT));
        }
    }
}
