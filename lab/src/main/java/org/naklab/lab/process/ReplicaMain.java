package org.naklab.lab.process;

import java.nio.file.Path;
import java.util.function.BiFunction;
import java.util.function.Function;

/** What the main classes of the replica's processes have in common. */
final class ReplicaMain {
    private static final int EXIT_FAILED = 1;

    private ReplicaMain() {}

    /**
     * Runs one part of the replica until the lab ends it, then ends the process.
     *
     * @param arguments the path of the JSON configuration
     */
    static <C> void run(
            String[] arguments,
            Class<C> type,
            Function<C, String> name,
            BiFunction<C, ContextWatch, Replica> launcher) {
        LabLink link = LabLink.ofProcess();
        int code = 0;
        try {
            C config = Json.read(Path.of(arguments[0]), type);
            ContextWatch watch = new ContextWatch(name.apply(config));
            new ReplicaLoop(link, watch, launcher.apply(config, watch)).run();
        } catch (RuntimeException | InterruptedException e) {
            e.printStackTrace();
            link.report("error", Json.object().put("message", String.valueOf(e.getMessage())));
            code = EXIT_FAILED;
        }
        // A thread that a library left running must not keep the process.
        System.exit(code);
    }
}
