package org.naklab.lab.cli.fault;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.description.PlanUnit;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.scenarios.control.RunDescription;
import org.naklab.lab.scenarios.control.RunningRun;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code naklab faults}. */
@Command(
        name = "faults",
        description = "List the kinds of faults, or describe one: its parameters with units, bounds and defaults, the "
                + "privileges that it needs, the proof that it gives, and an example.",
        mixinStandardHelpOptions = true,
        subcommands = FaultsRemoveCommand.class,
        footer = {
            "",
            "Faults are added to a run with 'naklab run SCENARIO --fault', and to one that is under way with 'naklab "
                    + "inject SCENARIO', which also injects those that act from outside into any process, and those of "
                    + "containers into any container.",
            "",
            "Examples:",
            "  naklab faults",
            "  naklab faults slow-callback",
            "  naklab faults --json",
            "  naklab faults --active",
            "  naklab faults remove"
        })
public final class FaultsCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(arity = "0..1", paramLabel = "KIND", description = "Describe this kind only, in detail.")
    private @Nullable String kind;

    @Option(
            names = "--active",
            description =
                    "List the faults of 'naklab inject' that are under way, and the runs to which one can be added.")
    private boolean isActive;

    @Mixin
    private JsonOption json;

    FaultsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (isActive) {
            if (kind != null) {
                throw new UsageException("--active takes no kind: it lists the faults of all kinds that are under way");
            }
            active();
            return ExitCode.OK;
        }
        List<CatalogEntry> entries = kind == null ? CatalogEntry.all() : List.of(CatalogEntry.named(kind));
        PrintStream out = terminal.out();
        if (json.isGiven()) {
            out.println(Json.pretty(document(entries)));
        } else if (kind == null) {
            list(out, entries);
        } else {
            describe(out, entries.get(0));
        }
        return ExitCode.OK;
    }

    /**
     * The document of {@code --active --json}.
     *
     * @param runs that take faults now
     */
    record ActiveDocument(List<ActiveInjection> faults, List<RunDescription> runs) {}

    private void active() {
        List<ActiveInjection> injections = ActiveInjection.all();
        List<RunningRun> runs = RunningRun.findAll();
        if (json.isGiven()) {
            json.print(
                    terminal,
                    new ActiveDocument(
                            injections,
                            runs.stream().map(RunningRun::description).toList()));
            return;
        }
        PrintStream out = terminal.out();
        if (injections.isEmpty()) {
            out.println("no fault of naklab inject is under way");
        } else {
            Table table = new Table(terminal, out, Align.LEFT, Align.LEFT, Align.LEFT);
            table.head("target", "fault", "command");
            injections.forEach(each -> table.row(each.target(), each.fault(), "process " + each.pid()));
            table.print();
        }
        runs.forEach(run -> terminal.printHanging(
                out,
                "run under way: ",
                run.description().scenario() + " in " + run.description().runDirectory()));
    }

    private void list(PrintStream out, List<CatalogEntry> entries) {
        out.println("Faults of processes, for naklab run SCENARIO --fault and naklab inject SCENARIO:");
        table(
                out,
                entries.stream()
                        .filter(entry -> !entry.acts().equals("container"))
                        .toList());
        out.println();
        out.println("Faults of containers, for naklab inject CONTAINER:");
        table(
                out,
                entries.stream()
                        .filter(entry -> entry.acts().equals("container"))
                        .toList());
        out.println();
        out.println("Details: naklab faults KIND");
    }

    private void table(PrintStream out, List<CatalogEntry> entries) {
        Table table = new Table(terminal, out, Align.LEFT, Align.LEFT);
        entries.forEach(entry -> table.row(
                terminal.bold(out, entry.kind().name()),
                terminal.plain(out, entry.description().summary())));
        table.print();
    }

    private void describe(PrintStream out, CatalogEntry entry) {
        FaultDescription description = entry.description();
        Table table = new Table(terminal, out, Align.LEFT, Align.LEFT).indent(0);
        table.row(entry.kind().name(), description.summary());
        table.row("acts", acts(entry));
        table.row("privileges", entry.kind().privileges());
        table.row("proof", description.proof());
        table.row("example", entry.command());
        List<String> scenarios = entry.scenarios();
        table.row("scenarios", scenarios.isEmpty() ? "none" : String.join(", ", scenarios));
        table.print();
        out.println();
        out.println("Parameters:");
        Table parameters = new Table(terminal, out, Align.LEFT, Align.LEFT);
        description.parameters().forEach(parameter -> parameters.row(parameter.word(), sentence(parameter)));
        String usual = description.on();
        parameters.row("on", "the target" + (usual.isEmpty() ? "; required" : "; default " + usual));
        parameters.row(
                "for",
                "how long it stays armed, 1ms to " + PlanUnit.MILLISECONDS.text(FaultSpec.MAX_FOR_MS) + "; default "
                        + PlanUnit.MILLISECONDS.text(FaultSpec.DEFAULT_FOR_MS));
        parameters.row(
                "id", "its name in run.json; default added-" + entry.kind().name());
        parameters.print();
    }

    private static String acts(CatalogEntry entry) {
        return switch (entry.acts()) {
            case "process" -> "in the process that it is on";
            case "outside" -> "from outside, on one process";
            default -> "on a container";
        };
    }

    private static String sentence(FaultParameter parameter) {
        StringBuilder sentence = new StringBuilder(parameter.meaning());
        if (!parameter.range().isEmpty()) {
            sentence.append(", ").append(parameter.range());
        }
        if (!parameter.usual().isEmpty()) {
            sentence.append("; default ").append(parameter.usual());
        } else if (parameter.isRequired()) {
            sentence.append("; required");
        }
        return sentence.append("; in a plan '")
                .append(parameter.name())
                .append('\'')
                .toString();
    }

    private static ObjectNode document(List<CatalogEntry> entries) {
        ObjectNode document = Json.object();
        ArrayNode faults = document.putArray("faults");
        entries.forEach(entry -> faults.add(tree(entry)));
        return document;
    }

    private static ObjectNode tree(CatalogEntry entry) {
        FaultDescription description = entry.description();
        ObjectNode tree = Json.object()
                .put("kind", entry.kind().name())
                .put("summary", description.summary())
                .put("acts", entry.acts())
                .put("on", description.on());
        ArrayNode parameters = tree.putArray("parameters");
        description.parameters().forEach(parameter -> parameters.add(tree(parameter)));
        tree.put("privileges", entry.kind().privileges())
                .put("proof", description.proof())
                .put("example", description.example());
        ArrayNode scenarios = tree.putArray("scenarios");
        entry.scenarios().forEach(scenarios::add);
        return tree;
    }

    private static ObjectNode tree(FaultParameter parameter) {
        ObjectNode tree = Json.object()
                .put("name", parameter.name())
                .put("option", parameter.word())
                .put("type", parameter.type().label())
                .put("unit", parameter.unit().symbol());
        if (parameter.max() != FaultParameter.UNBOUNDED) {
            tree.put("min", parameter.min()).put("max", parameter.max());
        }
        return tree.put("default", parameter.fallback())
                .put("inRun", parameter.inReplica())
                .put("required", parameter.isRequired())
                .put("meaning", parameter.meaning());
    }
}
