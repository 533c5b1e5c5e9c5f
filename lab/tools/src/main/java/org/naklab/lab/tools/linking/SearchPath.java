package org.naklab.lab.tools.linking;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/** Finds the file of a command, as execvp(3) does. */
final class SearchPath {
    private SearchPath() {}

    static Optional<Path> find(String command) {
        if (command.contains("/")) {
            return Optional.of(Path.of(command)).filter(Files::isExecutable);
        }
        String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory).resolve(command))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }
}
