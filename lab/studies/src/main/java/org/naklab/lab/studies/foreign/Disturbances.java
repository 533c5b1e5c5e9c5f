package org.naklab.lab.studies.foreign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.naklab.faults.description.Spelling;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.process.Installation;

/** Finds the disturbances: a disturbance is an executable file with a header in one of the directories, and nothing else. */
public final class Disturbances {
    /** In a source tree, which alone has the commands of this module. */
    private static final String DIRECTORY = "lab/studies/src/main/foreign";

    private Disturbances() {}

    /** Returns the directory of the disturbances of the source tree. */
    public static Path directory(Installation installation) {
        return installation.root().resolve(DIRECTORY);
    }

    /**
     * Returns the disturbances of some directories, by name.
     *
     * @param only the wanted names; empty: all
     * @throws UsageException if a header is wrong, two have one name, or a wanted one is not there
     */
    public static List<Disturbance> of(List<Path> directories, List<String> only) {
        List<Disturbance> all = new ArrayList<>();
        Set<String> names = new HashSet<>();
        directories.forEach(directory -> all.addAll(in(directory)));
        all.sort(Comparator.comparing(Disturbance::name));
        for (Disturbance each : all) {
            if (!names.add(each.name())) {
                throw new UsageException("there are two disturbances of the name '" + each.name() + "'");
            }
        }
        for (String name : only) {
            if (!names.contains(name)) {
                throw new UsageException("there is no disturbance '" + name + "'"
                        + Spelling.hint(
                                name, all.stream().map(Disturbance::name).toList()));
            }
        }
        return all.stream()
                .filter(each -> only.isEmpty() || only.contains(each.name()))
                .toList();
    }

    private static List<Disturbance> in(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(Files::isRegularFile)
                    .sorted()
                    .flatMap(file -> DisturbanceHeader.read(file).stream())
                    .toList();
        } catch (IOException e) {
            throw new UsageException("cannot read the disturbances in " + directory + ": " + e);
        }
    }
}
