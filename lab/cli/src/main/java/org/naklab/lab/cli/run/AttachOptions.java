package org.naklab.lab.cli.run;

import org.jspecify.annotations.Nullable;
import org.naklab.lab.containers.ComposeProject;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.process.Installation;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.mystery.ComposeDeployment;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that run the processes in the services of a Compose project. */
final class AttachOptions {
    @Option(
            names = "--attach",
            description = "Run in the services started by 'docker compose up -d' instead of processes on this machine. "
                    + "Fidelity audited or simulated.")
    private boolean attach;

    @Option(
            names = "--project",
            paramLabel = "NAME",
            description = "With --attach: compose project name (default: COMPOSE_PROJECT_NAME or the name of the "
                    + "project's directory).")
    private @Nullable String project;

    /** Checks combinations of options. */
    void check(CommandSpec spec, boolean isInterfaceGiven) {
        if (project != null && !attach) {
            throw new ParameterException(spec.commandLine(), "--project needs --attach");
        }
        if (attach && isInterfaceGiven) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--interface and --attach are mutually exclusive: a composition has its own network");
        }
    }

    /** Returns whether the processes are to run in a composition. */
    boolean isGiven() {
        return attach;
    }

    /**
     * The plan in the composition, if it was asked for.
     *
     * @throws UsageException when the scenario cannot be run there like that
     * @throws org.naklab.lab.core.LabException when the composition is not up, with what to do
     */
    RunPlan place(Scenario scenario, RunPlan plan) {
        if (!attach) {
            return plan;
        }
        ComposeDeployment.refusal(scenario, plan).ifPresent(reason -> {
            throw new UsageException(scenario.name() + " cannot be run in a composition with these options: " + reason);
        });
        ComposeProject composition = project == null
                ? ComposeProject.ofDirectory(Installation.current().root(), ComposeDeployment.services())
                : ComposeProject.find(project, ComposeDeployment.services());
        return plan.in(composition, ComposeDeployment.notes(composition));
    }
}
