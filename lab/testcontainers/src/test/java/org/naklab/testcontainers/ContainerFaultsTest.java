package org.naklab.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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

    private static String messageWith(String variable, String value) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Refused.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put(variable, value);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output.lines()).hasSize(1);
        return output.strip();
    }

    /** Asks for faults of a container that seems to run. */
    static final class Refused {
        private Refused() {}

        public static void main(String[] arguments) {
            ContainerState container = (ContainerState) Proxy.newProxyInstance(
                    Refused.class.getClassLoader(),
                    new Class<?>[] {ContainerState.class},
                    (proxy, method, values) ->
                            method.getReturnType() == boolean.class ? (Object) true : "0123456789ab");
            try {
                ContainerFaults.of(container);
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
