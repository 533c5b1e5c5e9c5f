package org.naklab.lab.cli.evidence;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.cases.Expected;
import org.naklab.lab.cli.history.CaseArgument;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.process.Installation;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.runs.RunsOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code naklab case keep}. */
@Command(
        name = "keep",
        description = "Take the case of a run, of a watch or of a bundle into the corpus.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "The corpus is judged by each build: a case whose diagnosis is another one than expected fails it. The kept "
                    + "case is redacted like a bundle, has samples of the time around the stall only, and is at most "
                    + "200 KB large. It is refused if its diagnosis is not that of the whole evidence.",
            "",
            "The right answer is in its file expected.json. Without --expect it is the diagnosis as it is given now: "
                    + "read it, and correct it if the diagnosis is wrong.",
            "",
            "Examples:",
            "  naklab case keep mystery --as late-binding-slow-disk",
            "  naklab case keep ticket.zip --as ticket-17 --expect lock-wait",
            "",
            "Exit codes: 0 kept, 64 wrong usage, also if the name is taken, 66 there is no such case, or it cannot be kept."
        })
public final class CaseKeepCommand implements Callable<Integer> {
    private static final String NAME = "[a-z0-9][a-z0-9.-]{0,79}";

    private final Terminal terminal;

    @Parameters(
            arity = "1",
            paramLabel = "RUN",
            description =
                    "Directory of a case, of a run or of a window, name of a run, a scenario for its latest run, or a "
                            + "bundle.")
    private String run = "";

    @Option(names = "--as", paramLabel = "NAME", required = true, description = "Name of the kept case.")
    private String name = "";

    @Option(
            names = "--expect",
            paramLabel = "CAUSE",
            split = ",",
            description = "The right causes, the worst first (default: those that are given now).")
    private List<Cause> causes = List.of();

    @Option(names = "--about", paramLabel = "TEXT", description = "One sentence on what was done or what happened.")
    private String about = "";

    @Option(
            names = "--by-others",
            paramLabel = "TEXT",
            description = "One sentence on what others than the lab did to the run; its scenario does not do it again.")
    private String byOthers = "";

    @Option(
            names = "--corpus",
            paramLabel = "DIR",
            description = "Directory of the corpus (default: that of the project).")
    private @Nullable Path corpus;

    @Mixin
    private RunsOption runs;

    CaseKeepCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        if (!name.matches(NAME)) {
            throw new UsageException(
                    "'" + name + "' is no name of a case: use lower-case letters, digits, dots and hyphens");
        }
        Path target = directory().resolve(name);
        if (Files.exists(target)) {
            throw new UsageException(target + " exists already and is not replaced: choose another name");
        }
        CaseKeeper keeper = new CaseKeeper(CaseArgument.find(runs.directory(), run));
        Expected expected = keeper.keep(target, about, byOthers, causes);
        terminal.out().println(target);
        terminal.printHanging(terminal.out(), "  expected  ", expected.text());
        terminal.printHanging(
                terminal.out(),
                "  next      ",
                "read " + target.resolve(Expected.NAME) + ", and correct it where it is wrong");
        return ExitCode.OK;
    }

    private Path directory() {
        Path directory = corpus == null ? Installation.current().root().resolve("lab/cases/src/main/cases") : corpus;
        if (!Files.isDirectory(directory)) {
            throw new InputException("there is no corpus in " + directory + ": name its directory with --corpus DIR");
        }
        return directory;
    }
}
