package org.naklab.lab.instruments.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Both versions tell the same of a group, by files of other names. */
@Timeout(10)
final class CgroupPathsTest {
    @TempDir
    private Path directory;

    private CgroupPaths group(int version, Map<String, String> files) throws IOException {
        Path made = Files.createDirectory(directory.resolve("v" + version));
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(made.resolve(file.getKey()), file.getValue());
        }
        return new CgroupPaths(made, version);
    }

    @Test
    void shouldReadVersionOne() throws Exception {
        CgroupPaths group = group(
                1,
                Map.of(
                        "memory.usage_in_bytes", "1000\n",
                        "memory.limit_in_bytes", "2000\n",
                        "memory.stat", "active_file 1\ntotal_active_file 100\ntotal_inactive_file 20\n",
                        "memory.failcnt", "3\n",
                        "memory.memsw.failcnt", "4\n",
                        "cpu.cfs_quota_us", "150000\n",
                        "cpu.cfs_period_us", "100000\n",
                        "freezer.state", "FREEZING\n",
                        "blkio.throttle.read_iops_device", "8:16 9\n8:0 14\n"));

        assertFigures(group);
        assertThat(group.limitLine(CgroupPaths.DiskUse.READS, "8:0", "14")).isEqualTo("8:0 14");
        assertThat(group.limitLine(CgroupPaths.DiskUse.READS, "8:0", "0")).isEqualTo("8:0 0");
        assertThat(group.memoryPressure()).isEqualTo(Path.of("/proc/pressure/memory"));
        assertThat(group.countsAllLimitHits()).isFalse();
    }

    @Test
    void shouldReadVersionTwo() throws Exception {
        CgroupPaths group = group(
                2,
                Map.of(
                        "memory.current", "1000\n",
                        "memory.max", "2000\n",
                        "memory.stat", "active_file 100\ninactive_file 20\n",
                        "memory.events", "low 0\nhigh 1\nmax 7\n",
                        "cpu.max", "150000 100000\n",
                        "cgroup.events", "populated 1\nfrozen 1\n",
                        "io.max", "8:16 riops=9\n8:0 rbps=max wbps=max riops=14 wiops=max\n"));

        assertFigures(group);
        assertThat(group.limitLine(CgroupPaths.DiskUse.READS, "8:0", "14")).isEqualTo("8:0 riops=14");
        assertThat(group.limitLine(CgroupPaths.DiskUse.BYTES_WRITTEN, "8:0", "0"))
                .isEqualTo("8:0 wbps=max");
        assertThat(group.memoryPressure()).isEqualTo(group.file("memory.pressure"));
        assertThat(group.countsAllLimitHits()).isTrue();
    }

    /** Both versions say the same. */
    private static void assertFigures(CgroupPaths group) throws IOException {
        assertThat(group.memoryUsedBytes()).isEqualTo(1_000);
        assertThat(group.memoryLimitBytes()).hasValue(2_000);
        assertThat(group.pageCacheBytes()).isEqualTo(120);
        assertThat(group.memoryLimitHits()).isEqualTo(7);
        assertThat(group.processorQuota()).hasValue(1.5);
        assertThat(group.canLimitMemory()).isTrue();
        assertThat(group.isFrozen()).isTrue();
        assertThat(group.readsPerSecond("8:0")).contains(14L);
    }

    @Test
    void shouldTellThatThereIsNoLimit() throws Exception {
        CgroupPaths first = group(
                1,
                Map.of(
                        "memory.limit_in_bytes",
                        "9223372036854771712\n",
                        "cpu.cfs_quota_us",
                        "-1\n",
                        "cpu.cfs_period_us",
                        "100000\n"));
        CgroupPaths second =
                group(2, Map.of("memory.max", "max\n", "cpu.max", "max 100000\n", "io.max", "8:0 riops=max\n"));

        for (CgroupPaths group : new CgroupPaths[] {first, second}) {
            assertThat(group.memoryLimitBytes()).isEmpty();
            assertThat(group.processorQuota()).isEmpty();
            assertThat(group.readsPerSecond("8:0")).isEmpty();
            assertThat(group.isFrozen()).isFalse();
        }
    }

    @Test
    void shouldCreateAndLimitAGroupOfVersionOne() throws Exception {
        CgroupPaths parent = group(1, Map.of("cpuset.mems", "0-1\n"));
        CgroupPaths made = parent.child("made");
        made.create(List.of("cpuset", CgroupPaths.READS));
        assertThat(parent.file("cgroup.subtree_control")).doesNotExist();
        assertThat(made.canLimitMemory()).isFalse();

        made.limitProcessors(1.5);
        made.setProcessors("1");
        assertThat(made.file("cpu.cfs_period_us")).hasContent("100000");
        assertThat(made.file("cpu.cfs_quota_us")).hasContent("150000");
        assertThat(made.file("cpuset.mems")).hasContent("0-1");
        assertThat(made.file("cpuset.cpus")).hasContent("1");
        assertThat(CgroupPaths.firstProcessorQuota(List.of(parent, made))).hasValue(1.5);
    }

    @Test
    void shouldCreateAndLimitAGroupOfVersionTwo() throws Exception {
        CgroupPaths parent = group(2, Map.of());
        CgroupPaths made = parent.child("made");
        made.create(List.of("cpuset", CgroupPaths.READS));
        assertThat(parent.file("cgroup.subtree_control")).hasContent("+cpuset +io");

        made.limitProcessors(1.5);
        made.setProcessors("1");
        assertThat(made.file("cpu.max")).hasContent("150000 100000");
        assertThat(made.file("cpuset.mems")).doesNotExist();
        assertThat(made.file("cpuset.cpus")).hasContent("1");
        assertThat(CgroupPaths.firstProcessorQuota(List.of(parent, made))).hasValue(1.5);
    }

    @Test
    void shouldFindTheGroupOfAControllerAndThatOfVersionTwo() {
        List<String> memberships = List.of("3:cpuset:/", "1:cpu,cpuacct:/lab", "0::/unified");
        assertThat(CgroupPaths.membership(memberships, "cpu")).contains("/lab");
        assertThat(CgroupPaths.membership(memberships, "")).contains("/unified");
        assertThat(CgroupPaths.membership(memberships, "memory")).isEmpty();
    }
}
