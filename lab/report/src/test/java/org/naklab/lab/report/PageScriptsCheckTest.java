package org.naklab.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code .ci/run} does when the scripts of the pages cannot be checked, with programs in place of Node.js. */
@Timeout(60)
final class PageScriptsCheckTest {
    private static final Path RUN = Path.of("../../.ci/run").toAbsolutePath().normalize();
    private static final String CHECK = "set -euo pipefail; PATH=$PROGRAMS; cd ../..\n"
            + "eval \"$(/usr/bin/sed -n '/^leave_page_scripts() {/,/^}/p; /^check_page_scripts() {/,/^}/p' " + RUN
            + ")\"\ncheck_page_scripts\nprintf 'went on\\n'";
    private static final String NOT_CHECKED = "the scripts of the pages are not checked";

    @TempDir
    private Path programs;

    private record Ended(int code, String out) {}

    private Ended check(boolean isCi) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("/bin/bash", "-c", CHECK).redirectErrorStream(true);
        builder.environment().put("PROGRAMS", programs.toString());
        builder.environment().remove("NAKLAB_CI");
        if (isCi) {
            builder.environment().put("NAKLAB_CI", "true");
        }
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), out);
    }

    private void program(String name, String body) throws IOException {
        Path file = Files.writeString(programs.resolve(name), "#!/bin/bash\n" + body + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void shouldFailInCiWithoutNodeJs() throws IOException, InterruptedException {
        assertThat(check(true)).satisfies(ended -> {
            assertThat(ended.code()).isNotZero();
            assertThat(ended.out()).contains("no Node.js", NOT_CHECKED).doesNotContain("went on");
        });
        assertThat(check(false)).satisfies(ended -> {
            assertThat(ended.code()).isZero();
            assertThat(ended.out()).contains("no Node.js", NOT_CHECKED, "went on");
        });
    }

    @Test
    void shouldFailInCiWithoutThePackages() throws IOException, InterruptedException {
        program("node", "exit 0");
        program("npm", "[ \"$1\" != ci ]");
        assertThat(check(true)).satisfies(ended -> {
            assertThat(ended.code()).isNotZero();
            assertThat(ended.out())
                    .contains("packages of lab/report", NOT_CHECKED)
                    .doesNotContain("went on");
        });
        assertThat(check(false).out()).contains(NOT_CHECKED, "went on");
    }

    @Test
    void shouldFailWhenTheCheckFindsSomething() throws IOException, InterruptedException {
        program("node", "exit 0");
        program("npm", "echo \"npm $*\"; [ \"$1\" = ci ]");
        assertThat(check(false)).satisfies(ended -> {
            assertThat(ended.code()).isNotZero();
            assertThat(ended.out()).contains("npm run").doesNotContain("went on");
        });
        program("npm", "exit 0");
        for (boolean isCi : List.of(true, false)) {
            assertThat(check(isCi)).isEqualTo(new Ended(0, "went on\n"));
        }
    }
}
