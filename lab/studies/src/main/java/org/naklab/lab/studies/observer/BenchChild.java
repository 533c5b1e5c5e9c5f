package org.naklab.lab.studies.observer;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.process.AskedProcess;
import org.naklab.lab.process.Installation;

/** Starts the processes of benches, which are told by lines what to do and answer by lines. */
final class BenchChild {
    private BenchChild() {}

    /**
     * Starts a process.
     *
     * @param jvmOptions beside those that every process of the lab has
     */
    static AskedProcess start(List<String> jvmOptions, Class<?> main, String... args) throws IOException {
        return start(jvmOptions, Map.of(), main, args);
    }

    /** Starts a process with more variables in its environment. */
    static AskedProcess start(List<String> jvmOptions, Map<String, String> variables, Class<?> main, String... args)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(Installation.current().command(jvmOptions, main, List.of(args)))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(variables);
        return AskedProcess.start(main.getSimpleName(), builder);
    }
}
