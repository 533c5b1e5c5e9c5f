package org.naklab.lab.scenarios.record;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.naklab.files.FileOwner;

/** Gives the files of a run that was started with sudo to the user who started it. */
public final class RunOwnership {
    private RunOwnership() {}

    /**
     * Gives a run away, with the directory of its scenario and that of all runs; does nothing without sudo.
     *
     * @param environment of this process
     * @throws IOException something could not be given away, and belongs to root
     */
    public static void give(Path run, Map<String, String> environment) throws IOException {
        Optional<FileOwner> owner = FileOwner.ofSudo(environment);
        if (owner.isPresent()) {
            Path scenario = run.toAbsolutePath().resolve("..").normalize();
            owner.get().takeTree(run);
            owner.get().takeDirectory(scenario);
            owner.get().takeDirectory(scenario.resolve("..").normalize());
        }
    }
}
