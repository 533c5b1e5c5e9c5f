package org.naklab.lab.instruments.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.naklab.lab.core.timeline.DetectException;

/**
 * The files of {@code perf record} in a rotating recording: {@code NAME.data.TIME} for each dump, complete when it exists,
 * and {@code NAME.log}, the output of perf.
 */
record PerfFiles(Path directory, String name) {
    private static final int FIRST_WORDS = 2;

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

    /** Returns the dumps in the order of time. */
    List<Path> dumps() throws IOException {
        List<Path> dumps = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, name + ".data.*")) {
            found.forEach(dumps::add);
        }
        Collections.sort(dumps);
        return dumps;
    }

    /** Returns the first lines of the log, where perf reports missing permissions. */
    List<String> firstWords() throws IOException {
        return Files.readAllLines(log(), StandardCharsets.UTF_8).stream()
                .filter(line -> !line.isBlank())
                .map(String::strip)
                .limit(FIRST_WORDS)
                .toList();
    }

    /** Deletes all files. */
    void delete() {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, name + ".{data,data.*,log,script}")) {
            for (Path file : found) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new DetectException("cannot delete perf's files " + name + ": " + e.getMessage(), e);
        }
    }
}
