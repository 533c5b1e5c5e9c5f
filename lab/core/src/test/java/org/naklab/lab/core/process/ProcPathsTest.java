package org.naklab.lab.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ProcPathsTest {
    @Test
    void shouldNameTheFilesOfAProcess() {
        assertThat(ProcPaths.of(17)).isEqualTo(Path.of("/proc/17"));
        assertThat(ProcPaths.of(17, "fd", "3")).isEqualTo(Path.of("/proc/17/fd/3"));
        assertThat(ProcPaths.of(17, "root" + "/dev/shm")).isEqualTo(Path.of("/proc/17/root/dev/shm"));
        assertThat(ProcPaths.of(ProcessHandle.current().pid(), "task")).isDirectory();
    }
}
