package org.naklab.lab.studies.foreign;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.naklab.lab.core.account.AccountKind;

/** Scripts of tests. */
final class Scripts {
    private Scripts() {}

    /** Writes an executable script. */
    static Path write(Path directory, String name, String text) {
        try {
            Path script = Files.writeString(directory.resolve(name), text);
            return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a disturbance whose script is not used. */
    static Disturbance disturbance(String name, List<Set<String>> causes, AccountKind... kinds) {
        return new Disturbance(
                name,
                "Disturbs",
                "service",
                new Disturbance.Truth(causes, Set.of(kinds), Set.of("pass", "fail")),
                new Disturbance.Demands(List.of("root"), 400, null),
                Target.RUN,
                Path.of("script"));
    }
}
