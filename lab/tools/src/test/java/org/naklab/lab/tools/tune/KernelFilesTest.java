package org.naklab.lab.tools.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.LabException;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class KernelFilesTest {
    @TempDir
    private Path directory;

    @Test
    void shouldSetAndPutBack() throws IOException {
        Path number = file("number", "128\n");
        try (KernelFiles files = new KernelFiles()) {
            List<Setting.KernelFile> settings = List.of(new Setting.KernelFile(number, "4"));
            assertThat(files.set(settings)).containsExactly(number + " is 4, was 128");
            assertThat(KernelFiles.missing(settings)).isEmpty();
            files.restore();
            assertThat(Files.readString(number)).isEqualTo("128");
            assertThat(KernelFiles.missing(settings)).containsExactly(number + "=4");
        }
    }

    @Test
    void shouldPutBackWhatWasSetBeforeAFailure() throws IOException {
        Path number = file("number", "128\n");
        Path none = directory.resolve("none");
        try (KernelFiles files = new KernelFiles()) {
            assertThatThrownBy(() ->
                            files.set(List.of(new Setting.KernelFile(number, "4"), new Setting.KernelFile(none, "4"))))
                    .isInstanceOf(LabException.class)
                    .hasMessageContaining("none");
            assertThat(Files.readString(number)).isEqualTo("4");
        }
        assertThat(Files.readString(number)).isEqualTo("128");
    }

    /** Such a file gives its number to one read only; a value of which the first digit was read could not be put back. */
    @Test
    void shouldReadAllDigitsOfAKernelParameter() throws Exception {
        Path parameter = Path.of("/proc/sys/kernel/pid_max");
        Process cat = new ProcessBuilder("cat", parameter.toString()).start();
        String value = new String(cat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        assertThat(value).hasSizeGreaterThan(1);
        assertThat(KernelFiles.missing(List.of(new Setting.KernelFile(parameter, value))))
                .isEmpty();
    }

    /** The kernel gives the numbers back with tabs between them. */
    @Test
    void shouldUnderstandSeveralNumbers() throws IOException {
        Path numbers = file("numbers", "1\t2\t3\n");
        assertThat(KernelFiles.missing(List.of(new Setting.KernelFile(numbers, "1 2 3"))))
                .isEmpty();
        assertThat(KernelFiles.missing(List.of(new Setting.KernelFile(numbers, "1 2 4"))))
                .hasSize(1);
    }

    /** Of a list, the word in brackets is the one in force, and it alone is written back. */
    @Test
    void shouldUnderstandAList() throws IOException {
        Path list = file("list", "always [madvise] never\n");
        try (KernelFiles files = new KernelFiles()) {
            assertThat(files.set(List.of(new Setting.KernelFile(list, "always"))))
                    .containsExactly(list + " is always, was madvise");
        }
        assertThat(Files.readString(list)).isEqualTo("madvise");
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }
}
