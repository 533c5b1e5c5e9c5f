package org.naklab.lab.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Three seconds of a real run of the mystery, fidelity audited; the fault's stack beside it is written by hand. */
public final class FixtureRun {
    static final List<String> EVIDENCE =
            List.of("diagnosis.json", "timeline.jsonl", "samples.csv.gz", "fault-stacks.json");

    private FixtureRun() {}

    public static Path copyTo(Path directory) throws IOException {
        copy("run.json", directory);
        for (String name : EVIDENCE) {
            copy(name, directory);
        }
        return directory;
    }

    /** Replaces the rows of a file of samples. */
    static void rewrite(Path samples, UnaryOperator<String> change) throws IOException {
        String rows;
        try (InputStream in = new GZIPInputStream(Files.newInputStream(samples))) {
            rows = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(samples))) {
            out.write(change.apply(rows).getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void copy(String name, Path directory) throws IOException {
        try (InputStream in = Objects.requireNonNull(FixtureRun.class.getResourceAsStream("mystery/" + name), name)) {
            Files.copy(in, directory.resolve(name));
        }
    }
}
