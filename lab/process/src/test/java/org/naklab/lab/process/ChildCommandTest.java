package org.naklab.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ChildCommandTest {
    private static final ProcessSpec<String> SPEC = new ProcessSpec<>(
                    "mds", Role.SERVICE, ChildCommandTest.class, List.of("-Xmx64m"), Map.of(), "{}")
            .withJvmArguments("-Da=b")
            .withEnvironment("LD_BIND_NOW", "1");
    private static final Installation ELSEWHERE =
            new Installation(Path.of("/lab"), Path.of("/jdk/bin/java"), Path.of("/dev/null"), "/lab/lib/*", null);

    @Test
    void shouldStartTheProcessWithoutItsTerminalsSignals() {
        assertThat(ChildCommand.of(SPEC, "/run/mds.json", ELSEWHERE))
                .startsWith("sh", "-c", "trap '' INT HUP; exec \"$@\"", "sh", "/jdk/bin/java", "@/dev/null")
                .containsSubsequence("-Xmx64m", "-Da=b", "-cp", "/lab/lib/*")
                .endsWith(ChildCommandTest.class.getName(), "/run/mds.json");
    }

    @Test
    void shouldRunAContainerThatReadsItsConfigurationFromStandardInput() {
        ContainerSpec container =
                new ContainerSpec("lab-mds", "naklab:1", List.of("--memory=512m"), List.of("nice"), "/dev/shm/aeron");
        assertThat(ChildCommand.of(SPEC.inContainer(container, "{}"), "/run/mds.json", ELSEWHERE))
                .containsSubsequence(
                        "docker", "run", "-i", "-e", "LD_BIND_NOW=1", "--name", "lab-mds", "--memory=512m", "naklab:1")
                .containsSubsequence("naklab:1", "nice", ContainerSpec.JAVA, "-Xmx64m")
                .endsWith(ChildCommandTest.class.getName(), ChildCommand.STANDARD_INPUT)
                .doesNotContain("/run/mds.json", "/jdk/bin/java");
    }

    /** Image and options of a container that runs already are its own. */
    @Test
    void shouldExecuteInAContainerThatStandsBy() {
        ContainerSpec container = ContainerSpec.standingBy("lab-mds", List.of(), "/dev/shm/aeron");
        assertThat(ChildCommand.of(SPEC.inContainer(container, "{}"), "-", ELSEWHERE))
                .containsSubsequence("docker", "exec", "-i", "-e", "LD_BIND_NOW=1", "lab-mds", ContainerSpec.JAVA)
                .doesNotContain("run", "--name");
    }
}
