package org.naklab.lab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.Secrets;

/** A thread that dies ends the program, which can know of it while it winds down. */
@Timeout(60)
final class DeadThreadTest {
    @Test
    void shouldTellOfWhatAThreadDiedWhileTheProgramEnds() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName())
                .redirectErrorStream(true)
                .start();
        String out = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(child.waitFor()).as(out).isEqualTo(ExitCode.INTERNAL);
        assertThat(out.lines())
                .anyMatch(line -> line.startsWith("naklab: thread reader died: internal error"))
                .contains("before: null", "at the end: java.lang.IllegalStateException: no room");
    }

    /** The program. */
    static final class Child {
        private Child() {}

        public static void main(String... arguments) {
            ProgramFailure.endOn(Terminal.ofProcess(), Secrets.of(List.of(), Map.of()));
            System.out.println("before: " + ProgramFailure.ofThread());
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> System.out.println("at the end: " + ProgramFailure.ofThread())));
            new Thread(
                            () -> {
                                throw new IllegalStateException("no room");
                            },
                            "reader")
                    .start();
        }
    }
}
