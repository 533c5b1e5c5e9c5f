package org.naklab.lab.cli.workshop;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.replica.process.Installation;
import org.naklab.lab.workshop.Workshop;
import org.naklab.lab.workshop.seal.Seal;
import picocli.CommandLine.Option;

/** The options that say where a workshop is and who takes part. */
public final class WorkshopOptions {
    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Directory of the workshop (default: .naklab/workshop in your home directory).")
    private @Nullable Path directory;

    @Option(names = "--trainee", paramLabel = "NAME", description = "Who takes part (default: the user).")
    private String trainee = System.getProperty("user.name", "trainee");

    @Option(
            names = "--units",
            paramLabel = "DIR",
            description = "Directory of the units (default: those of the project).")
    private @Nullable Path units;

    @Option(
            names = "--corpus",
            paramLabel = "DIR",
            description = "Directory of the recorded cases (default: that of the project).")
    private @Nullable Path corpus;

    Workshop open() {
        return open(directory(), trainee);
    }

    /** Returns who takes part. */
    String trainee() {
        return trainee;
    }

    /** Returns the directory of the workshop. */
    Path directory() {
        return directory == null ? Path.of(System.getProperty("user.home"), ".naklab", "workshop") : directory;
    }

    /** Returns the seal of the workshop, whose directory is there. */
    Seal seal() {
        return Seal.ofFile(directory().resolve(Workshop.KEY));
    }

    /** Returns the directory of the benchmark; no trainee has a name like that. */
    Path benchmark() {
        return directory().resolve("_benchmark");
    }

    Workshop open(Path where, String who) {
        return Workshop.open(where, corpus(), units(), who);
    }

    Path corpus() {
        return corpus == null ? Installation.current().root().resolve("lab/cases/src/main/cases") : corpus;
    }

    Path units() {
        return units == null ? Installation.current().root().resolve("lab/workshop/src/main/units") : units;
    }
}
