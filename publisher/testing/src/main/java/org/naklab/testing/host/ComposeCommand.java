package org.naklab.testing.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Compose as this machine has it, the engine's plug-in or the older program; skips a class where there is neither. */
public final class ComposeCommand implements BeforeAllCallback {
    private static final List<List<String>> KINDS = List.of(List.of("docker", "compose"), List.of("docker-compose"));

    @Override
    public void beforeAll(ExtensionContext context) {
        if (find().isEmpty()) {
            ContainerEngine.skip("no compose here: neither 'docker compose' nor docker-compose");
        }
    }

    /** Runs it with the project's file; the output is both of its streams. */
    public static String run(String project, Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(find().orElseThrow());
        Path file = Path.of(System.getProperty("naklab.root"), "compose.yaml");
        command.addAll(List.of("--file", file.toString(), "--project-name", project));
        command.addAll(List.of(arguments));
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(Engine.CAPABILITIES);
        ToolOutput result = ToolOutput.of(command, all);
        if (!result.succeeded()) {
            throw new AssertionError(String.join(" ", command) + ":\n" + result.output());
        }
        return result.output();
    }

    /** Asks the engine once. */
    private static final class Engine {
        /** Variables of the composition. An engine refuses to create a container with a capability that it does not know. */
        private static final Map<String, String> CAPABILITIES =
                knowsCapabilities() ? Map.of() : Map.of("NAKLAB_BPF", "SYS_ADMIN", "NAKLAB_PERFMON", "SYSLOG");

        private static boolean knowsCapabilities() {
            ToolOutput created = ToolOutput.of(
                    "docker", "create", "--cap-add", "BPF", "--cap-add", "PERFMON", ContainerEngine.image(), "true");
            if (created.succeeded()) {
                ToolOutput.of("docker", "rm", created.output().strip());
            }
            return created.succeeded() || !created.output().contains("unknown capability");
        }
    }

    private static Optional<List<String>> find() {
        return KINDS.stream().filter(ComposeCommand::isThere).findFirst();
    }

    private static boolean isThere(List<String> kind) {
        List<String> command = new ArrayList<>(kind);
        command.add("version");
        return ToolOutput.of(command, Map.of()).succeeded();
    }
}
