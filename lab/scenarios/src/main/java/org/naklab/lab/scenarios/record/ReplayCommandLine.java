package org.naklab.lab.scenarios.record;

import java.nio.file.Path;
import java.util.Locale;
import org.naklab.journaler.disk.PageCachePolicy;
import org.naklab.lab.core.Program;
import org.naklab.lab.core.ShellWord;
import org.naklab.lab.core.Units;
import org.naklab.lab.replica.exchange.ArrivalPattern;
import org.naklab.lab.replica.transport.IdleMode;
import org.naklab.lab.scenarios.BufferSizing;
import org.naklab.lab.scenarios.Customers;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.InstrumentLevel;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Scenarios;
import org.naklab.lab.scenarios.Workload;
import org.naklab.lab.scenarios.mystery.MysteryRemedies;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.publication.RateLimitMode;

/** The command that runs a plan again. */
public final class ReplayCommandLine {
    private ReplayCommandLine() {}

    public static String command(RunPlan plan) {
        Workload workload = plan.workload();
        StringBuilder command =
                new StringBuilder(ShellWord.of(Program.name()) + " run " + plan.scenario() + " --seed " + plan.seed());
        Path source = workload.source();
        if (source == null) {
            command.append(" --instruments ").append(workload.instruments());
            add(command, "--arrival", workload.arrival(), ArrivalPattern.CONSTANT);
        } else {
            command.append(" --source ").append(ShellWord.of(source.toString()));
        }
        command.append(workload.speed() == 0 ? " --rate " + rate(workload) : " --speed " + workload.speed());
        if (workload.durationNs() != Long.MAX_VALUE) {
            command.append(String.format(Locale.ROOT, " --duration %.9f", workload.durationNs() / Units.NS_PER_S)
                    .replaceFirst("\\.?0+$", ""));
        }
        BufferSizing stall = plan.traffic().stall();
        if (stall != null && plan.fidelity() != Fidelity.NONE) {
            command.append(" --fidelity ")
                    .append(plan.fidelity())
                    .append(" --remedy ")
                    .append(plan.remedy());
            command.append(" --stall ").append(stall.stallNs() / Units.MS_NS).append("ms");
        } else {
            if (isOneOfSeveral(plan)) {
                command.append(" --fidelity ").append(plan.fidelity());
            }
            add(command, "--remedy", plan.remedy().label(), Remedy.NONE.label());
        }
        add(command, "--profile", plan.transport().profile(), TransportProfile.LBTRM);
        if (plan.traffic().rateLimiting() != MysteryRemedies.rateLimiting(plan.remedy())) {
            add(command, "--rate-limiting", plan.traffic().rateLimiting(), RateLimitMode.TRANSPORT);
        }
        add(command, "--idle", plan.transport().idle(), IdleMode.BACKOFF);
        add(command, "--journal-page-cache", plan.traffic().journalPages(), PageCachePolicy.KEPT);
        add(command, "--observe", plan.placement().instruments(), InstrumentLevel.NORMAL);
        plan.placement().pins().forEach((thread, cpu) -> command.append(" --pin ")
                .append(ShellWord.of(thread + "=" + cpu)));
        plan.added().options().forEach(word -> command.append(' ').append(ShellWord.of(word)));
        plan.settings().options().forEach(word -> command.append(' ').append(ShellWord.of(word)));
        // Without the option a scenario chooses by the machine.
        int clients = plan.customers().ofGateway();
        if (clients > 0 && plan.customers().equals(Customers.of(clients))) {
            command.append(' ').append(Customers.OPTION).append(' ').append(clients);
        }
        if (plan.placement().observation().isCaptured()) {
            command.append(' ').append(RunPlan.CAPTURE_OPTION);
        }
        if (plan.placement().isInContainers()) {
            command.append(" --containers");
        }
        if (plan.placement().composition() != null) {
            command.append(" --attach --project ")
                    .append(ShellWord.of(plan.placement().composition().project()));
        }
        return command.toString();
    }

    /** Without the option such a scenario chooses by the machine. */
    private static boolean isOneOfSeveral(RunPlan plan) {
        return Scenarios.find(plan.scenario())
                .map(Scenario::fidelities)
                .filter(fidelities ->
                        plan.fidelity() == Fidelity.NONE && fidelities.size() > 1 && fidelities.contains(Fidelity.NONE))
                .isPresent();
    }

    private static String rate(Workload workload) {
        return workload.eventsPerSecond() == 0 ? "max" : String.valueOf(workload.eventsPerSecond());
    }

    private static void add(StringBuilder command, String option, Enum<?> value, Enum<?> usual) {
        add(command, option, value.name().toLowerCase(Locale.ROOT), usual.name().toLowerCase(Locale.ROOT));
    }

    private static void add(StringBuilder command, String option, String value, String usual) {
        if (!value.equals(usual)) {
            command.append(' ').append(option).append(' ').append(value);
        }
    }
}
