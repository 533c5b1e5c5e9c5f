package org.naklab.lab.cli;

import picocli.CommandLine.Command;

/** {@code naklab bench}. */
@Command(
        name = "bench",
        description = "Measure the replica against what it stands on, within one process and in turns.",
        mixinStandardHelpOptions = true,
        subcommands = {BenchPipelineCommand.class, BenchBookCommand.class},
        synopsisSubcommandLabel = "BENCH",
        footer = {"", "Examples:", "  naklab bench pipeline", "  naklab bench book --json"})
final class BenchCommand {}
