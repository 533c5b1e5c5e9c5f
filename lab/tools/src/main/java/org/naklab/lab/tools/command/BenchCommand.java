package org.naklab.lab.tools.command;

import picocli.CommandLine.Command;

/** {@code naklab bench}. */
@Command(
        name = "bench",
        description =
                "Benchmark the order book, and measure the receive buffers that stalls need. In a source tree also: the replica "
                        + "against raw Aeron and Chronicle Queue, the repair of losses, and the instruments' overhead.",
        mixinStandardHelpOptions = true,
        subcommands = {BenchBookCommand.class, BenchBuffersCommand.class},
        synopsisSubcommandLabel = "BENCH",
        footer = {"", "Examples:", "  naklab bench book --json", "  naklab bench buffers"})
public final class BenchCommand {}
