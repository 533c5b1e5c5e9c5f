package org.naklab.lab.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultKinds;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.description.DescribedKind;
import org.naklab.faults.description.PlanUnit;
import org.naklab.faults.notation.FaultNotation;
import org.naklab.lab.containers.ContainerFaultKind;
import org.naklab.lab.containers.ContainerFaultKinds;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Reason;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.process.ProcessFaults;
import org.naklab.lab.scenarios.AddedFaults;
import picocli.CommandLine.Option;

/** The options that add faults to those of the scenario. */
final class FaultOptions {
    private static final FaultKinds KINDS = FaultKinds.onClassPath();
    private static final String ADDED = "added-";

    @Option(
            names = "--fault",
            paramLabel = "FAULT",
            description = "Add a fault, KIND[:name=value,...][@WHEN], such as slow-callback:delay=150ms@+3s; WHEN is "
                    + "+TIME after the warm-up, second-boundary or an event. Repeatable; kinds: 'naklab faults'.")
    private List<String> texts = List.of();

    @Option(names = "--plan", paramLabel = "FILE", description = "Add the faults of a fault plan in JSON. Repeatable.")
    private List<Path> plans = List.of();

    /**
     * Returns the faults to add.
     *
     * @throws UsageException if one is wrong, naming it
     */
    AddedFaults added() {
        List<FaultSpec> faults = new ArrayList<>();
        List<String> options = new ArrayList<>();
        for (String text : texts) {
            faults.add(refusing("--fault " + text, () -> parse(text, usualId(FaultNotation.kindOf(text), faults))));
            options.addAll(List.of("--fault", text));
        }
        for (Path file : plans) {
            String where = "--plan " + file;
            faults.addAll(refusing(where, () -> read(file)));
            options.addAll(List.of("--plan", file.toAbsolutePath().toString()));
        }
        refusing("--fault", () -> new FaultPlan(0, faults));
        return new AddedFaults(faults, options);
    }

    /** Returns what the user is told about the faults before the run. */
    static Stream<String> notes(AddedFaults added) {
        return added.faults().stream()
                .map(fault -> "added fault " + fault.kind() + " on " + fault.on() + describe(fault));
    }

    private static String describe(FaultSpec fault) {
        String trigger = fault.when().trigger();
        String after =
                duration(fault.when().afterMs()) + " after " + (trigger == null ? "the warm-up" : "'" + trigger + "'");
        Integer phase = fault.when().phaseOfSecondMs();
        String parameters = kind(fault.kind()).description().text(fault.parameters());
        return ", " + after + (phase == null ? "" : ", " + duration(phase) + " into the second") + ", for at most "
                + duration(fault.forMs()) + (parameters.isEmpty() ? "" : ": " + parameters);
    }

    private static String duration(long milliseconds) {
        return PlanUnit.MILLISECONDS.text(milliseconds);
    }

    private static DescribedKind kind(String name) {
        Optional<ContainerFaultKind> ofContainers = ContainerFaultKinds.find(name);
        return ofContainers.isPresent() ? ofContainers.get() : KINDS.named(name);
    }

    private static String usualId(String kind, List<FaultSpec> others) {
        String id = ADDED + kind;
        long same = others.stream().filter(other -> other.kind().equals(kind)).count();
        return same == 0 ? id : id + "-" + (same + 1);
    }

    private static FaultSpec parse(String text, String id) {
        String name = FaultNotation.kindOf(text);
        FaultSpec spec = FaultNotation.parse(text, kind(name), id, ProcessFaults.triggers());
        if (spec.on().isEmpty()) {
            throw new FaultException(name + " needs on=PROCESS, the process in the container, such as on=gateway-1");
        }
        return spec;
    }

    private static void check(FaultPlan plan) {
        List<FaultSpec> ofProcesses = new ArrayList<>();
        for (FaultSpec fault : plan.faults()) {
            Optional<ContainerFaultKind> kind = ContainerFaultKinds.find(fault.kind());
            if (kind.isPresent()) {
                Record unused = fault.parametersAs(kind.get().parameterType());
            } else {
                ofProcesses.add(fault);
            }
        }
        KINDS.check(new FaultPlan(plan.seed(), ofProcesses));
    }

    /** Faults without an id get one that no fault of a scenario has. */
    private static List<FaultSpec> read(Path file) {
        FaultPlan read;
        try {
            read = FaultPlan.fromJson(Files.readString(file));
        } catch (IOException e) {
            throw new InputException("--plan " + file + ": " + Reason.of(e).replace(file + ": ", ""), e);
        }
        check(read);
        read.faults().stream()
                .map(FaultSpec::when)
                .filter(when ->
                        when.trigger() != null && !ProcessFaults.triggers().contains(when.trigger()))
                .findFirst()
                .ifPresent(when -> {
                    throw new FaultException("nothing triggers '" + when.trigger() + "'; there are: "
                            + String.join(", ", ProcessFaults.triggers()));
                });
        return read.faults().stream()
                .map(fault -> fault.id().equals(fault.kind())
                        ? new FaultSpec(
                                ADDED + fault.kind(),
                                fault.kind(),
                                fault.on(),
                                fault.when(),
                                fault.forMs(),
                                fault.parameters())
                        : fault)
                .toList();
    }

    private static <T> T refusing(String option, Supplier<T> step) {
        try {
            return step.get();
        } catch (FaultException e) {
            throw new UsageException(option + ": " + e.getMessage());
        }
    }
}
