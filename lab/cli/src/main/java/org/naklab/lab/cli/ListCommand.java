package org.naklab.lab.cli;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.naklab.lab.cli.terminal.ExitCode;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.core.Json;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Scenarios;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code naklab list}. */
@Command(
        name = "list",
        description = "List the scenarios.",
        mixinStandardHelpOptions = true,
        footer = {"", "Examples:", "  naklab list", "  naklab list --json"})
final class ListCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(names = "--json", description = "One JSON document on standard output.")
    private boolean json;

    ListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        PrintStream out = terminal.out();
        if (json) {
            out.println(
                    Json.pretty(Scenarios.all().stream().map(ListCommand::tree).toList()));
            return ExitCode.OK;
        }
        int width = Scenarios.all().stream()
                .mapToInt(scenario -> scenario.name().length())
                .max()
                .orElse(0);
        for (Scenario scenario : Scenarios.all()) {
            String padding = " ".repeat(width - scenario.name().length());
            out.println(terminal.styled(out, "@|bold " + scenario.name() + "|@") + padding + "  " + scenario.summary());
        }
        return ExitCode.OK;
    }

    private static Object tree(Scenario scenario) {
        return Json.object()
                .put("name", scenario.name())
                .put("summary", scenario.summary())
                .putPOJO("fidelities", scenario.fidelities())
                .putPOJO("remedies", scenario.remedies());
    }
}
