package org.naklab.lab.instruments.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.timeline.DetectException;

/**
 * The files of {@code perf record} in a rotating recording: {@code NAME.data.TIME} for each dump, complete when it exists,
 * and {@code NAME.log}, the output of perf. Perf itself would write through a link of such a name; so they lie in a directory that only this user can enter.
 */
record PerfFiles(Path directory, String name) {
    private static final int FIRST_WORDS = 2;

    /**
     * Makes a directory for them.
     *
     * @param parent the directory in which it is made
     * @throws DetectException it cannot be made
     */
    static PerfFiles in(Path parent, String name) {
        try {
            return new PerfFiles(Files.createTempDirectory(OutputFile.directory(parent), name + "."), name);
        } catch (IOException e) {
            throw new DetectException(
                    "no page-fault stacks: no directory for perf in " + parent + ": " + e.getMessage(), e);
        }
    }

    /** Returns the argument of {@code --output}; perf appends the time. */
    Path data() {
        return directory.resolve(name + ".data");
    }

    Path log() {
        return directory.resolve(name + ".log");
    }

    /** Returns the output file of {@code perf script}. */
    Path script() {
        return directory.resolve(name + ".script");
    }

    /** Returns the dumps in the order of time; none after {@link #delete}. */
    List<Path> dumps() throws IOException {
        List<Path> dumps = new ArrayList<>();
        if (Files.notExists(directory)) {
            return dumps;
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, name + ".data.*")) {
            found.forEach(dumps::add);
        }
        Collections.sort(dumps);
        return dumps;
    }

    /** Returns the first lines of the log, where perf reports missing permissions; none once it is deleted. */
    List<String> firstWords() throws IOException {
        if (Files.notExists(log())) {
            return List.of();
        }
        return Files.readAllLines(log(), StandardCharsets.UTF_8).stream()
                .filter(line -> !line.isBlank())
                .map(String::strip)
                .limit(FIRST_WORDS)
                .toList();
    }

    /** Deletes all files, and the directory. */
    void delete() {
        if (Files.notExists(directory)) {
            return;
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory)) {
            for (Path file : found) {
                Files.delete(file);
            }
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new DetectException("cannot delete perf's files " + name + ": " + e.getMessage(), e);
        }
    }
}
