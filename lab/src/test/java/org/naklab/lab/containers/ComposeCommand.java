package org.naklab.lab.containers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.naklab.lab.process.Installation;

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
        Path file = Installation.current().root().resolve("compose.yaml");
        command.addAll(List.of("--file", file.toString(), "--project-name", project));
        command.addAll(List.of(arguments));
        Docker.Result result = attempt(command, environment);
        if (!result.succeeded()) {
            throw new AssertionError(String.join(" ", command) + ":\n" + result.output());
        }
        return result.output();
    }

    private static Optional<List<String>> find() {
        return KINDS.stream().filter(ComposeCommand::isThere).findFirst();
    }

    private static boolean isThere(List<String> kind) {
        List<String> command = new ArrayList<>(kind);
        command.add("version");
        return attempt(command, Map.of()).succeeded();
    }

    private static Docker.Result attempt(List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Docker.Result(process.waitFor(), output);
        } catch (IOException e) {
            return new Docker.Result(127, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
