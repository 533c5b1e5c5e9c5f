package org.naklab.lab.studies.foreign;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.Secrets;
import org.naklab.lab.core.process.AskedProcess;

/** Starts scripts. The standard input of each stays open until it is closed here: its end tells the script to undo and end. */
final class ScriptRun {
    private ScriptRun() {}

    /**
     * Starts a script.
     *
     * @param environment in addition to that of the lab
     * @param log takes what the script writes to standard error
     */
    static AskedProcess start(String name, List<String> command, Map<String, String> environment, Path log) {
        ProcessBuilder builder = new ProcessBuilder(command);
        Secrets.removeFrom(builder.environment());
        // A tool needs no audit library.
        builder.environment().remove("LD_AUDIT");
        builder.environment().putAll(environment);
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        return AskedProcess.start(name, builder);
    }
}
