package org.naklab.lab.cli.bench;

import picocli.CommandLine.Command;

/** {@code naklab bench}. */
@Command(
        name = "bench",
        description = "Measure the replica against what it stands on, and what observing it costs, in turns.",
        mixinStandardHelpOptions = true,
        subcommands = {BenchPipelineCommand.class, BenchBookCommand.class, BenchObserverCommand.class},
        synopsisSubcommandLabel = "BENCH",
        footer = {"", "Examples:", "  naklab bench pipeline", "  naklab bench book --json", "  naklab bench observer"})
public final class BenchCommand {}
