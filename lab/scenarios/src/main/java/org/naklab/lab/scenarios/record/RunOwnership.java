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
     * Gives a run to the user who started it with sudo; does nothing without sudo.
     *
     * @param environment of this process
     * @throws IOException something could not be given away, and belongs to root
     */
    public static void give(Path run, Map<String, String> environment) throws IOException {
        Optional<FileOwner> owner = FileOwner.ofSudo(environment);
        if (owner.isPresent()) {
            giveTo(owner.get(), run);
        }
    }

    /**
     * Gives a run to a user, with the directory of its scenario and that of all runs.
     *
     * @throws IOException something could not be given away, and belongs to root
     */
    public static void giveTo(FileOwner owner, Path run) throws IOException {
        Path scenario = run.toAbsolutePath().resolve("..").normalize();
        owner.takeTree(run);
        owner.takeDirectory(scenario);
        owner.takeDirectory(scenario.resolve("..").normalize());
    }
}
