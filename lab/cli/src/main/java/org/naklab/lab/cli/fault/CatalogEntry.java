package org.naklab.lab.cli.fault;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultKinds;
import org.naklab.faults.description.DescribedKind;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.Spelling;
import org.naklab.lab.containers.ContainerFaultKinds;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Scenarios;

/** A kind of fault, on processes or on containers, and the scenarios in which it occurs. */
record CatalogEntry(DescribedKind kind) {
    /** Returns all kinds: those of processes, then those of containers, each sorted by name. */
    static List<CatalogEntry> all() {
        return Stream.concat(
                        FaultKinds.onClassPath().all().stream(),
                        ContainerFaultKinds.all().stream().sorted(Comparator.comparing(DescribedKind::name)))
                .map(CatalogEntry::new)
                .toList();
    }

    /**
     * Returns the kind of that name.
     *
     * @throws UsageException if there is none, with the name that may have been meant
     */
    static CatalogEntry named(String name) {
        List<String> names = new ArrayList<>();
        for (CatalogEntry entry : all()) {
            if (entry.kind.name().equals(name)) {
                return entry;
            }
            names.add(entry.kind.name());
        }
        throw new UsageException("no kind of fault is named " + name + Spelling.hint(name, names));
    }

    FaultDescription description() {
        return kind.description();
    }

    /** Returns from where it acts: {@code process}, {@code outside} of the process, or on a {@code container}. */
    String acts() {
        if (kind instanceof FaultKind ofProcess) {
            return ofProcess.actsFromOutside() ? "outside" : "process";
        }
        return "container";
    }

    /** Returns an example as the user would write it: the command of a run, or the fault. */
    String command() {
        String example = description().example();
        return acts().equals("container")
                ? "naklab inject CONTAINER " + example
                : "naklab run baseline --fault " + example;
    }

    /** Returns the names of the scenarios that inject it. */
    List<String> scenarios() {
        return Scenarios.all().stream()
                .filter(scenario -> scenario.faultKinds().contains(kind.name()))
                .map(Scenario::name)
                .toList();
    }
}
