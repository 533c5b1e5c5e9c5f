package org.naklab.lab.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.description.Spelling;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Scenarios;
import org.naklab.lab.terminal.Converters;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options for the cause and the length of the stall, and for the remedy. */
public final class StallOptions {
    private static final String ALL = "all";

    @Option(
            names = "--fidelity",
            paramLabel = "F",
            description =
                    "How realistic the stall is: none, simulated, audited, evicted or natural (default: the strongest "
                            + "that needs no setup; as root one with real page faults).")
    private @Nullable Fidelity fidelity;

    @Option(
            names = "--remedy",
            paramLabel = "R",
            defaultValue = "none",
            converter = RemediesConverter.class,
            completionCandidates = Words.class,
            description = "Remedy: ${COMPLETION-CANDIDATES}; all runs those of the scenario one after the other with "
                    + "the same seeds (default: none).")
    private Choice remedy;

    @Option(
            names = "--stall",
            paramLabel = "T",
            converter = Converters.Stall.class,
            description = "Length of the stall, such as 50ms or 0.3s (default: the scenario's own).")
    private @Nullable Long stallNs;

    /** @param only {@code null}: all of the scenario's */
    private record Choice(@Nullable Remedy only) {}

    /** The fidelity of all runs, and what to say about the choice. */
    record Chosen(Fidelity fidelity, List<String> notes) {}

    /**
     * Chooses the fidelity of all runs.
     *
     * @param directory of the runs
     * @param isAttached whether the processes run in the services of a composition
     * @throws UsageException when the scenario makes no stall, or is refused everything
     */
    Chosen choose(Scenario scenario, Path directory, boolean isAttached) {
        if (stallNs != null && scenario.stallNs() == 0) {
            throw new UsageException(scenario.name() + " injects no stall, so --stall does not apply");
        }
        Remedy first = remedy.only() == null ? Remedy.NONE : remedy.only();
        if (!scenario.remedies().contains(first)) {
            throw new UsageException(
                    scenario.name() + " cannot be run with remedy " + first + ", only with " + scenario.remedies());
        }
        if (fidelity != null) {
            return asked(scenario, fidelity, first);
        }
        Optional<Scenario.Realistic> realistic = isAttached ? Optional.empty() : scenario.realistic(directory);
        Optional<String> obstacle = realistic.map(Scenario.Realistic::obstacle);
        boolean isPossible = realistic.isPresent()
                && obstacle.isEmpty()
                && scenario.refusal(realistic.get().fidelity(), first).isEmpty();
        if (isPossible) {
            return new Chosen(realistic.get().fidelity(), List.of());
        }
        Chosen strongest = strongest(scenario, first);
        List<String> notes = new ArrayList<>(strongest.notes());
        obstacle.ifPresent(leftOut -> notes.add("fidelity " + strongest.fidelity() + ": " + leftOut));
        return new Chosen(strongest.fidelity(), notes);
    }

    private static Chosen asked(Scenario scenario, Fidelity fidelity, Remedy remedy) {
        scenario.refusal(fidelity, remedy).ifPresent(reason -> {
            // What is refused whatever the remedy is something that this machine lacks.
            boolean isOfMachine = scenario.fidelities().contains(fidelity)
                    && scenario.refusal(fidelity, Remedy.NONE).isPresent();
            String message = scenario.name() + " cannot be run with these options: " + reason;
            throw isOfMachine ? new UnavailableException(message) : new UsageException(message);
        });
        if (!scenario.fidelities().contains(fidelity)) {
            throw new UsageException(scenario.name() + " cannot be run with fidelity " + fidelity + ", only with "
                    + scenario.fidelities());
        }
        return new Chosen(fidelity, List.of());
    }

    private static Chosen strongest(Scenario scenario, Remedy remedy) {
        List<String> notes = new ArrayList<>();
        for (Fidelity candidate : scenario.fidelities()) {
            Optional<String> refusal = scenario.refusal(candidate, remedy);
            if (refusal.isEmpty()) {
                notes.replaceAll(note -> "fidelity " + candidate + ", because " + note);
                return new Chosen(candidate, notes);
            }
            notes.add(refusal.get());
        }
        throw new UsageException(scenario.name() + " cannot be run here: " + String.join("; ", notes));
    }

    /**
     * Returns the fidelities that this machine can make without a remedy. The first is the one that is chosen when none is named.
     *
     * @param directory of the runs
     */
    public static List<Fidelity> possible(Scenario scenario, Path directory) {
        Stream<Fidelity> realistic = scenario
                .realistic(directory)
                .filter(each -> each.obstacle() == null)
                .map(Scenario.Realistic::fidelity)
                .stream();
        return Stream.concat(realistic, scenario.fidelities().stream())
                .distinct()
                .filter(each -> scenario.refusal(each, Remedy.NONE).isEmpty())
                .toList();
    }

    /** Returns whether the remedies are to be compared. */
    boolean isOfAllRemedies() {
        return remedy.only() == null;
    }

    /** Returns the remedies to run with each seed, in order. */
    List<Remedy> remedies(Scenario scenario, Fidelity chosen) {
        if (remedy.only() != null) {
            return List.of(remedy.only());
        }
        return scenario.remedies().stream()
                .filter(each -> scenario.refusal(chosen, each).isEmpty())
                .toList();
    }

    /** Returns the reasons why remedies are left out of a comparison. */
    List<String> leftOut(Scenario scenario, Fidelity chosen) {
        return scenario.remedies().stream()
                .filter(each -> remedy.only() == null)
                .flatMap(each -> scenario.refusal(chosen, each).stream())
                .toList();
    }

    long stallNs(Scenario scenario) {
        return stallNs == null ? scenario.stallNs() : stallNs;
    }

    /** The remedies of all scenarios, and the word for all of one. */
    static final class Words implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return list().iterator();
        }

        static List<String> list() {
            return Stream.concat(all().map(Remedy::label), Stream.of(ALL)).toList();
        }

        static Stream<Remedy> all() {
            return Scenarios.all().stream()
                    .flatMap(scenario -> scenario.remedies().stream())
                    .sorted(Comparator.comparing((Remedy remedy) -> !remedy.equals(Remedy.NONE))
                            .thenComparing(Remedy::label))
                    .distinct();
        }
    }

    /** Remedies are spelled with hyphens. */
    static final class RemediesConverter implements ITypeConverter<Choice> {
        @Override
        public Choice convert(String text) {
            String wanted = text.toLowerCase(Locale.ROOT);
            if (wanted.equals(ALL)) {
                return new Choice(null);
            }
            return Words.all()
                    .filter(value -> value.label().equals(wanted))
                    .findFirst()
                    .map(Choice::new)
                    .orElseThrow(() -> new TypeConversionException(
                            "'" + text + "' is none of the remedies" + Spelling.hint(wanted, Words.list())));
        }
    }
}
