package org.naklab.lab.workshop.command;

import java.util.concurrent.Callable;
import org.naklab.lab.workshop.benchmark.Benchmark;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** {@code naklab workshop seal}. */
@Command(
        name = "seal",
        description = "Make the benchmark: all recorded cases, sealed under names that tell nothing.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "A program or a person that diagnoses receive stalls gets the directory _benchmark of the workshop, without the "
                    + "workshop's key. 'score FILE' scores the answers. The format of both is in "
                    + "docs/reference/benchmark.md.",
            "",
            "Examples:",
            "  naklab workshop seal",
            "  naklab workshop seal --dir my-workshop",
            "",
            "Exit codes: 0 made, 66 the corpus cannot be read, or the directory cannot be written."
        })
public final class WorkshopSealCommand implements Callable<Integer> {
    @ParentCommand
    private WorkshopCommand parent;

    @Mixin
    private WorkshopOptions options;

    @Override
    public Integer call() {
        options.open();
        Benchmark benchmark = Benchmark.write(options.benchmark(), options.corpus(), options.seal());
        parent.terminal()
                .out()
                .println(benchmark.entries().size() + " cases in " + options.benchmark()
                        + "; their seals are in benchmark.json");
        return ExitCode.OK;
    }
}
