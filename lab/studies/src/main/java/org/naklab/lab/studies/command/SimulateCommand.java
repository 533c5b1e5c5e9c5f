package org.naklab.lab.studies.command;

import picocli.CommandLine.Command;

/** {@code naklab simulate}. */
@Command(
        name = "simulate",
        description = "Simulate what is larger than one machine; the same seed gives the same result.",
        mixinStandardHelpOptions = true,
        subcommands = {SimulateRepairCommand.class, SimulateStormCommand.class},
        synopsisSubcommandLabel = "SUBJECT",
        footer = {"", "Examples:", "  naklab simulate repair --receivers 10000 --correlated 0.1%%"})
public final class SimulateCommand {}
