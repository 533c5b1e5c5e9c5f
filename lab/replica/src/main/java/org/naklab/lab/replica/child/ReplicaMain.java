package org.naklab.lab.replica.child;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.naklab.files.PrivateDirectory;
import org.naklab.lab.core.Json;
import org.naklab.lab.process.ChildCommand;
import org.naklab.lab.process.ControlChannel;
import org.naklab.lab.process.ProcessEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The common part of the main classes of the replica's processes. */
public final class ReplicaMain {
    private static final Logger LOGGER = LoggerFactory.getLogger(ReplicaMain.class);

    /** EX_SOFTWARE of sysexits(3). */
    private static final int EXIT_FAILED = 70;

    private ReplicaMain() {}

    /**
     * Runs one part of the replica until the lab ends it, then ends the process.
     *
     * @param arguments the path of the JSON configuration, or {@value ChildCommand#STANDARD_INPUT}: it is the first line of standard input
     */
    public static <C> void run(
            String[] arguments,
            Class<C> type,
            Function<C, String> name,
            BiFunction<C, ContextEventReporter, ReplicaRole> launcher) {
        ControlChannel link = ControlChannel.ofProcess();
        int code = 0;
        try {
            C config = arguments[0].equals(ChildCommand.STANDARD_INPUT)
                    ? Json.fromLine(link.firstLine(), type)
                    : Json.read(Path.of(arguments[0]), type);
            ContextEventReporter watch = new ContextEventReporter(name.apply(config));
            new ControlLoop(link, watch, launcher.apply(config, watch)).run();
        } catch (Throwable e) {
            LOGGER.error("the process ends", e);
            link.report(ProcessEvent.Failed.of(e));
            code = EXIT_FAILED;
        }
        try {
            PrivateDirectory.leave();
        } catch (IOException e) {
            LOGGER.warn("cannot delete what is left in shared memory", e);
        }
        // A thread that a library left running must not keep the process.
        System.exit(code);
    }
}
