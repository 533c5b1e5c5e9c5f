package org.naklab.lab.cli.bench;

import picocli.CommandLine.Command;

/** {@code naklab bench}. */
@Command(
        name = "bench",
        description =
                "Benchmark the replica against raw Aeron and Chronicle Queue; measure the repair of losses, the receive "
                        + "buffers that stalls need, and the instruments' overhead (interleaved).",
        mixinStandardHelpOptions = true,
        subcommands = {
            BenchPipelineCommand.class,
            BenchBookCommand.class,
            BenchObserverCommand.class,
            BenchRepairCommand.class,
            BenchBuffersCommand.class
        },
        synopsisSubcommandLabel = "BENCH",
        footer = {"", "Examples:", "  naklab bench pipeline", "  naklab bench book --json", "  naklab bench observer"})
public final class BenchCommand {}
