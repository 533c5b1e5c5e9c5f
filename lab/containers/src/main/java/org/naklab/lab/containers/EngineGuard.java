package org.naklab.lab.containers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.naklab.faults.guard.Guard;
import org.naklab.faults.guard.Leftovers;
import org.naklab.faults.guard.ProcessIdentity;
import org.naklab.lab.core.LabException;

/** The guard of what this process does at the Docker engine: it undoes that when the process is killed. */
public final class EngineGuard {
    /** Labels everything that a lab creates at the engine, with the identity of the lab's process. */
    static final String LABEL = "org.naklab.lab";

    /** The value of {@link ContainerEnvironment#LABEL} on a tool that changes something and ends. */
    private static final String FAULT = "fault";

    private static final Path NO_INPUT = Path.of("/dev/null");
    /** Variables that select the engine of the client; a later process may have others. */
    private static final List<String> CLIENT_VARIABLES =
            List.of("DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "DOCKER_TLS_VERIFY", "DOCKER_CERT_PATH");

    private EngineGuard() {}

    /** Made when something is promised for the first time. */
    private static final class Holder {
        private static final Guard GUARD = start();

        private static Guard start() {
            report(Leftovers.undo());
            Guard guard = new Guard();
            Guard.Promise unused = guard.toRunFirst(
                    "remove the tool containers",
                    forThisEngine(List.of("sh", "-c", Undo.remove(faultFilters() + " --filter label=" + label()))));
            return guard;
        }

        private static String faultFilters() {
            return "--filter label=" + ContainerEnvironment.LABEL + "=" + FAULT;
        }

        private static void report(Leftovers.Outcome outcome) {
            outcome.undone().forEach(what -> System.err.println("undid a fault of a killed lab: " + what));
            outcome.left().forEach(what -> System.err.println("a fault of a killed lab cannot be undone: " + what));
        }
    }

    static Guard guard() {
        return Holder.GUARD;
    }

    /** Returns the label that ties a container to this process. */
    public static String label() {
        return LABEL + "=" + ProcessIdentity.current().text();
    }

    /** Returns the options of {@code docker run} for a tool that changes something and ends. */
    public static List<String> faultLabels() {
        return List.of("--label", ContainerEnvironment.LABEL + "=" + FAULT, "--label", label());
    }

    /**
     * Runs {@code docker} to do what has been promised to be undone.
     *
     * @throws LabException with the command's own last line, when it fails
     */
    public static void run(String... arguments) {
        Docker.Result result = attempt(List.of(arguments));
        if (!result.succeeded()) {
            throw new LabException("docker " + String.join(" ", arguments) + ": " + result.lastLine());
        }
    }

    /** Does the same, whatever it comes to. */
    public static Docker.Result attempt(List<String> arguments) {
        return Docker.execute(NO_INPUT, guard().act(Docker.command(arguments)));
    }

    /** Returns the command with the variables that select the engine of this process, whoever runs it. */
    static List<String> forThisEngine(List<String> command) {
        List<String> words = new ArrayList<>(List.of("env"));
        words.addAll(CLIENT_VARIABLES.stream()
                .flatMap(name -> Stream.ofNullable(System.getenv(name)).map(value -> name + '=' + value))
                .toList());
        words.addAll(command);
        return words;
    }
}
