package org.naklab.lab.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Three seconds of a real run of the mystery, fidelity audited; the fault's stack beside it is written by hand. */
final class FixtureRun {
    static final List<String> EVIDENCE =
            List.of("diagnosis.json", "timeline.jsonl", "samples.csv.gz", "fault-stacks.json");

    private FixtureRun() {}

    static Path copyTo(Path directory) throws IOException {
        copy("run.json", directory);
        for (String name : EVIDENCE) {
            copy(name, directory);
        }
        return directory;
    }

    private static void copy(String name, Path directory) throws IOException {
        try (InputStream in = Objects.requireNonNull(FixtureRun.class.getResourceAsStream("mystery/" + name), name)) {
            Files.copy(in, directory.resolve(name));
        }
    }
}
