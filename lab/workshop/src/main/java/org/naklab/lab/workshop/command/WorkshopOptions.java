package org.naklab.lab.workshop.command;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.process.Installation;
import org.naklab.lab.workshop.Workshop;
import org.naklab.lab.workshop.seal.Seal;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that say where a workshop is and who takes part. */
public final class WorkshopOptions {
    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Directory of the workshop (default: .naklab/workshop in your home directory).")
    private @Nullable Path directory;

    @Option(names = "--trainee", paramLabel = "NAME", description = "Who takes part (default: the user).")
    private @Nullable String trainee;

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

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    Workshop open() {
        return open(directory(), trainee());
    }

    /** Returns an option as it was given behind the command, or else before it, behind {@code workshop}. */
    private <T> Optional<T> given(Function<WorkshopOptions, @Nullable T> option) {
        T own = option.apply(this);
        if (own != null) {
            return Optional.of(own);
        }
        return command != null
                        && command.parent() != null
                        && command.parent().userObject() instanceof WorkshopCommand outer
                ? Optional.ofNullable(option.apply(outer.options()))
                : Optional.empty();
    }

    /** Returns who takes part. */
    String trainee() {
        return given(each -> each.trainee).orElse(System.getProperty("user.name", "trainee"));
    }

    /** Returns the directory of the workshop. */
    Path directory() {
        return given(each -> each.directory)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".naklab", "workshop"));
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
        return given(each -> each.corpus)
                .orElseGet(() -> Installation.current().root().resolve("lab/cases/src/main/cases"));
    }

    Path units() {
        return given(each -> each.units)
                .orElseGet(() -> Installation.current().root().resolve("lab/workshop/src/main/units"));
    }
}
