package org.naklab.lab.campaign.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.naklab.lab.campaign.engine.Engine;
import org.naklab.lab.campaign.engine.Engines;
import org.naklab.lab.campaign.engine.ShardJob;
import org.naklab.lab.core.Json;
import org.naklab.lab.process.Installation;

/**
 * Tells what was submitted, kept in the directory of the campaign for {@code status} and {@code stop}.
 *
 * @param engine its name
 */
record Submission(String engine, ShardJob job) {
    private static final String FILE = "submission.json";

    /** Returns what was submitted from this machine, if anything was. */
    static Optional<Submission> in(Path directory) {
        Path file = directory.resolve(FILE);
        return Files.exists(file) ? Optional.of(Json.read(file, Submission.class)) : Optional.empty();
    }

    void keep() {
        Json.write(job.directory().resolve(FILE), this);
    }

    List<String> status() {
        return found().status(job);
    }

    void stop() {
        found().stop(job);
    }

    void fetch(Path there, Path here) {
        found().fetch(job, there, here);
    }

    private Engine found() {
        return Engines.named(engine, Installation.current().root());
    }
}
