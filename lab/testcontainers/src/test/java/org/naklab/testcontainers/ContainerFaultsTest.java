package org.naklab.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.ContainerState;

@Timeout(60)
class ContainerFaultsTest {
    @TempDir
    Path directory;

    @Test
    void shouldSayInOneLineThatThereIsNoEngine() throws Exception {
        assertThat(messageWith("DOCKER_HOST", "unix://" + directory.resolve("no-engine")))
                .startsWith("no fault can be injected into a container: no Docker engine responds (")
                .endsWith("see docs/how-to/docker.md");
    }

    @Test
    void shouldSayInOneLineThatThereIsNoClient() throws Exception {
        assertThat(messageWith("PATH", directory.toString()))
                .startsWith("no fault can be injected into a container: no Docker engine responds (");
    }

    /** An engine that has no image: it answers, and knows none. */
    private String pathWithoutImage() throws IOException {
        Path docker = Files.writeString(directory.resolve("docker"), "#!/bin/sh\n[ \"$1\" = version ]\n");
        Files.setPosixFilePermissions(docker, PosixFilePermissions.fromString("rwx------"));
        return directory + ":" + System.getenv("PATH");
    }

    @Test
    void shouldSayInOneLineThatThereIsNoImage() throws Exception {
        assertThat(messageWith("PATH", pathWithoutImage()))
                .startsWith("no fault can be injected into a container: there is no image ")
                .contains(": docker build -t ");
    }

    @Test
    void shouldSayInOneLineThatThereIsNoImageForAContainer() throws Exception {
        assertThat(messageWith("PATH", pathWithoutImage(), "naklab:none"))
                .startsWith("there is no image naklab:none: docker build -t naklab:none ");
    }

    @Test
    void shouldSayBeforeTheFirstContainerThatThereIsNoEngine() throws Exception {
        assertThat(messageWith("DOCKER_HOST", "unix://" + directory.resolve("no-engine"), "naklab"))
                .startsWith("no Docker engine responds (");
    }

    private static String messageWith(String variable, String value, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Refused.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put(variable, value);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output.lines()).hasSize(1);
        return output.strip();
    }

    /** Asks for faults of a container that seems to run, or starts a container of the image that the argument names. */
    static final class Refused {
        private Refused() {}

        public static void main(String[] arguments) {
            ContainerState container = (ContainerState) Proxy.newProxyInstance(
                    Refused.class.getClassLoader(),
                    new Class<?>[] {ContainerState.class},
                    (proxy, method, values) ->
                            method.getReturnType() == boolean.class ? (Object) true : "0123456789ab");
            try {
                if (arguments.length == 0) {
                    ContainerFaults.of(container);
                } else {
                    new ExchangeContainer(arguments[0]).start();
                }
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
