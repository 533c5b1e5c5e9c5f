package org.naklab.lab.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.naklab.lab.core.Json;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Scenarios;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code naklab list}. */
@Command(
        name = "list",
        description = "List the scenarios.",
        mixinStandardHelpOptions = true,
        footer = {"", "Examples:", "  naklab list", "  naklab list --json"})
final class ListCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private JsonOption json;

    ListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        PrintStream out = terminal.out();
        if (json.isGiven()) {
            out.println(
                    Json.pretty(Scenarios.all().stream().map(ListCommand::tree).toList()));
            return ExitCode.OK;
        }
        Table table = new Table(terminal, out, Align.LEFT, Align.LEFT).indent(0);
        Scenarios.all().forEach(scenario -> {
            String not = scenario.obstacle().map(why -> "; not here: " + why).orElse("");
            table.row(terminal.bold(out, scenario.name()), terminal.plain(out, scenario.summary() + not));
        });
        table.print();
        return ExitCode.OK;
    }

    private static Object tree(Scenario scenario) {
        ObjectNode tree = Json.object();
        scenario.obstacle().ifPresent(why -> tree.put("obstacle", why));
        return tree.put("name", scenario.name())
                .put("summary", scenario.summary())
                .putPOJO("fidelities", scenario.fidelities())
                .putPOJO("remedies", scenario.remedies())
                .putPOJO(
                        "prices",
                        scenario.prices().entrySet().stream()
                                .collect(Collectors.toMap(
                                        price -> price.getKey().label(),
                                        Map.Entry::getValue,
                                        (one, other) -> one,
                                        LinkedHashMap::new)));
    }
}
