package org.naklab.lab.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

/** A JVM of tests that was started without the flags that Aeron needs. */
@Timeout(60)
class WatchReceiveFlagsTest {
    static class Sample {
        @Test
        @WatchReceive
        void receivesNothing() {}
    }

    @Test
    void shouldNameTheFlagsThatTheJvmLacksInOneLine() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        WithoutFlags.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output.lines().filter(line -> line.startsWith("failed: ")))
                .singleElement()
                .asString()
                .contains("Aeron needs flags that this JVM of the tests was started without")
                .endsWith(
                        "--add-opens java.base/jdk.internal.misc=ALL-UNNAMED --add-opens java.base/sun.nio.ch=ALL-UNNAMED");
    }

    /** Runs a sample in a JVM of its own, and prints why it failed. */
    static final class WithoutFlags {
        private WithoutFlags() {}

        public static void main(String[] arguments) {
            EngineTestKit.engine("junit-jupiter")
                    .selectors(selectMethod(Sample.class, "receivesNothing"))
                    .execute()
                    .testEvents()
                    .failed()
                    .stream()
                    .map(event -> event.getRequiredPayload(TestExecutionResult.class)
                            .getThrowable()
                            .orElseThrow())
                    .forEach(failure -> System.out.println("failed: " + failure.getMessage()));
        }
    }
}
