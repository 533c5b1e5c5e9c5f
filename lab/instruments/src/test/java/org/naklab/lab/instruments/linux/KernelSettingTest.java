package org.naklab.lab.instruments.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class KernelSettingTest {
    /** Reading such a file byte by byte gives its first digit only. */
    @Test
    void shouldReadAllDigits() throws IOException, InterruptedException {
        Path file = Path.of("/proc/sys/net/core/rmem_max");
        assumeThat(file).as("a kernel that tells").exists();
        Process cat = new ProcessBuilder("cat", file.toString()).start();
        String text = new String(cat.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(cat.waitFor()).isZero();
        assertThat(KernelSetting.rmemMaxBytes()).hasValue(Long.parseLong(text));
    }

    @Test
    void shouldKnowNothingOfFileThatIsNotThere() {
        assertThat(KernelSetting.read(Path.of("/proc/sys/net/core/nosuch"))).isEmpty();
    }
}
