package org.naklab.lab.studies.foreign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.process.AskedProcess;

/** The load {@link Load#BUSY}, from its construction until it is closed, or until the lab ends. */
final class BusyLoad implements AutoCloseable {
    private final Path log;
    private final AskedProcess run;

    /** @param script starts the loops, and ends them at the end of its standard input */
    BusyLoad(Path script) {
        try {
            log = Files.createTempFile("naklab-busy", ".log");
        } catch (IOException e) {
            throw new LabException("cannot make a temporary file: " + e, e);
        }
        run = ScriptRun.start("busy", List.of(script.toString()), Map.of(), log);
    }

    @Override
    public void close() {
        run.close();
        try {
            Files.deleteIfExists(log);
        } catch (IOException e) {
            throw new LabException("cannot delete " + log + ": " + e, e);
        }
    }
}
