package org.naklab.lab.containers.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the scripts for groups of both versions on copies of the kernel's files. */
@Timeout(60)
final class CgroupScriptsTest {
    private static final DiskLimit READS = DiskLimit.readsPerSecond(20);
    private static final DiskLimit BYTES = DiskLimit.bytesWrittenPerSecond(1_000);
    private static final String NUMBER = "8:0";
    private static final String QUOTED = "'8:0'";

    @TempDir
    private Path group;

    @Test
    void shouldSetTheLimitOfADisk() throws Exception {
        run(1, READS.setting(QUOTED, "20"));
        run(1, BYTES.setting(QUOTED, "0"));
        assertThat(group.resolve("blkio.throttle.read_iops_device")).hasContent("8:0 20\n");
        assertThat(group.resolve("blkio.throttle.write_bps_device")).hasContent("8:0 0\n");
        assertThat(group.resolve("io.max")).doesNotExist();
        run(2, READS.setting(QUOTED, "20"));
        assertThat(group.resolve("io.max")).hasContent("8:0 riops=20\n");
        run(2, BYTES.setting(QUOTED, "0"));
        assertThat(group.resolve("io.max")).hasContent("8:0 wbps=max\n");
    }

    @Test
    void shouldReadTheLimitOfADisk() throws Exception {
        write("blkio.throttle.read_iops_device", "8:16 9\n8:0 14\n");
        write("io.max", "8:16 riops=9\n8:0 rbps=max wbps=1000 riops=15 wiops=max\n");
        assertThat(run(1, READS.reading(QUOTED) + "echo $f")).isEqualTo("14");
        assertThat(run(2, READS.reading(QUOTED) + "echo $f")).isEqualTo("15");
        assertThat(run(2, BYTES.reading(QUOTED) + "echo $f")).isEqualTo("1000");
        write("io.max", "8:0 riops=max\n");
        assertThat(run(2, READS.reading(QUOTED) + "echo $f")).isEqualTo("0");
    }

    @Test
    void shouldRestoreItsOwnLimitOnly() throws Exception {
        write("io.max", "8:0 riops=20\n");
        run(2, READS.restoring(QUOTED, "0"));
        assertThat(group.resolve("io.max")).hasContent("8:0 riops=max\n");
        write("io.max", "8:0 riops=21\n");
        run(2, READS.restoring(QUOTED, "0"));
        assertThat(group.resolve("io.max")).hasContent("8:0 riops=21\n");
    }

    @Test
    void shouldCountWhatTheGroupDid() throws Exception {
        write("blkio.throttle.io_serviced", "8:0 Read 7\n8:0 Write 3\n");
        write("blkio.throttle.io_service_bytes", "8:0 Read 700\n8:0 Write 300\n");
        write("io.stat", "8:16 rios=1\n8:0 rbytes=800 wbytes=400 rios=8 wios=4\n");
        assertThat(run(1, READS.counting(NUMBER) + "echo $c")).isEqualTo("7");
        assertThat(run(1, BYTES.counting(NUMBER) + "echo $c")).isEqualTo("300");
        assertThat(run(2, READS.counting(NUMBER) + "echo $c")).isEqualTo("8");
        assertThat(run(2, BYTES.counting(NUMBER) + "echo $c")).isEqualTo("400");
    }

    @Test
    void shouldTellWhatMemoryTheKernelCannotTakeBack() throws Exception {
        write("memory.usage_in_bytes", "1000\n");
        write("memory.stat", "active_file 1\ninactive_file 2\ntotal_active_file 100\ntotal_inactive_file 20\n");
        assertThat(run(1, ContainerCgroup.MEMORY_WITHOUT_PAGE_CACHE)).isEqualTo("880");
        write("memory.current", "2000\n");
        assertThat(run(2, ContainerCgroup.MEMORY_WITHOUT_PAGE_CACHE)).isEqualTo("1997");
    }

    @Test
    void shouldTellHowOftenTheMemoryWasAtItsLimit() throws Exception {
        write("memory.failcnt", "3\n");
        write("memory.memsw.failcnt", "4\n");
        write("memory.max_usage_in_bytes", "900\n");
        write("memory.events", "low 0\nhigh 1\nmax 8\n");
        assertThat(run(1, ContainerCgroup.LIMIT_HITS_AND_HIGHEST_USE)).isEqualTo("7 900");
        assertThat(run(2, ContainerCgroup.RESET_HIGHEST_USE + ContainerCgroup.LIMIT_HITS_AND_HIGHEST_USE))
                .isEqualTo("8 0");
        assertThat(group.resolve("memory.max_usage_in_bytes")).hasContent("900\n");
        run(1, ContainerCgroup.RESET_HIGHEST_USE);
        assertThat(group.resolve("memory.max_usage_in_bytes")).hasContent("0\n");
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(group.resolve(name), text);
    }

    private String run(int version, String script) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("sh", "-c", "v=" + version + "; g='" + group + "'; " + script)
                .redirectErrorStream(true)
                .start();
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(output).isZero();
        return output.strip();
    }
}
