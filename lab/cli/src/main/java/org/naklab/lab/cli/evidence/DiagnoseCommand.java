package org.naklab.lab.cli.evidence;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.naklab.lab.cases.Case;
import org.naklab.lab.cases.CaseReader;
import org.naklab.lab.cases.Judgement;
import org.naklab.lab.cli.history.CaseArgument;
import org.naklab.lab.core.Json;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.runs.RunsOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code naklab diagnose}. */
@Command(
        name = "diagnose",
        description = "Judge recorded evidence again: of a run, of a recorded watch, or of a bundle.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Every run and every recorded window of a watch keeps its evidence in the directory 'case'. This command judges "
                    + "it with the rules of this version and prints the diagnosis as the run did. The same version gives "
                    + "the same diagnosis. It needs no privileges, and starts nothing.",
            "",
            "With --json it prints the document diagnosis.json of one case; of several, one line for each, with the "
                    + "additional key 'case'.",
            "",
            "Examples:",
            "  naklab diagnose",
            "  naklab diagnose mystery --verbose",
            "  naklab diagnose runs/mystery/latest --json",
            "  naklab diagnose ticket.zip",
            "  naklab diagnose lab/cases/src/main/cases/*",
            "",
            "Exit codes: 0 judged, 64 wrong usage, 66 there is no such case, or it is damaged or of a later version."
        })
public final class DiagnoseCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(
            arity = "0..*",
            paramLabel = "CASE",
            description =
                    "Directory of a case, of a run or of a window, name of a run, a scenario for its latest run, or a zip "
                            + "archive such as a bundle (default: the latest run).")
    private List<String> cases = List.of();

    @Option(names = "--verbose", description = "Also print the evidence, the chain of events and the suspects.")
    private boolean isVerbose;

    @Mixin
    private JsonOption json;

    @Mixin
    private RunsOption runs;

    DiagnoseCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (cases.isEmpty()) {
            judge(CaseArgument.find(runs.directory(), null), "the latest run");
        }
        for (String name : cases) {
            judge(CaseArgument.find(runs.directory(), name), name);
        }
        return ExitCode.OK;
    }

    private void judge(Path path, String name) {
        try (CaseReader reader = CaseReader.open(path)) {
            Case evidence = reader.read();
            Judgement judgement = Judgement.of(evidence, reader.truth());
            if (!json.isGiven()) {
                new CasePrinter(terminal, terminal.out(), isVerbose).print(name, evidence, judgement);
            } else if (cases.size() <= 1) {
                terminal.out().println(Json.pretty(judgement.toRecord()));
            } else {
                ObjectNode line = Json.object().put("case", name);
                line.setAll(Json.tree(judgement.toRecord(), ObjectNode.class));
                terminal.out().println(Json.line(line));
            }
        }
    }
}
