package org.naklab.lab.instruments.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.linux.CgroupPaths;
import org.naklab.lab.instruments.sampling.Allocations;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.series.Series;

@Timeout(60)
class MemoryInstrumentTest {
    private static final long SECOND = 1_000_000_000;
    private static final long PID = ProcessHandle.current().pid();

    @TempDir
    Path directory;

    private final EventLog events = new EventLog();
    private final Map<String, Long> samples = new HashMap<>();

    @Test
    void shouldReadThisMachinesMemory() throws IOException {
        try (MemoryInstrument memory = new MemoryInstrument("mds", PID, events)) {
            memory.sample(SECOND, this::record);
        }
        long totalBytes = Files.readAllLines(Path.of("/proc/meminfo")).stream()
                        .filter(line -> line.startsWith("MemTotal:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .sum()
                * 1024;

        assertThat(samples.get("memory.freeBytes")).isBetween(1L, totalBytes);
        assertThat(samples.get("memory.availableBytes")).isBetween(1L, totalBytes);
        assertThat(samples.get("memory.cachedBytes")).isBetween(1L, totalBytes);
        assertThat(samples).containsKeys("memory.dirtyBytes", "memory.writebackBytes");
    }

    @Test
    void shouldReportALimitThatWasHitInVersion2() throws IOException {
        write("memory.current", "104857600\n");
        write("memory.max", "209715200\n");
        write("memory.stat", "anon 1\ninactive_file 3000\nactive_file 500\npgmajfault 7\n");
        write("memory.events", "low 0\nhigh 3\nmax 10\noom 0\n");
        write("memory.pressure", pressure(5_000_000));
        try (CgroupMemory cgroup = new CgroupMemory("mds", new CgroupPaths(directory, 2), events)) {
            cgroup.sample(SECOND, this::record);
            assertThat(events.all()).isEmpty();

            write("memory.events", "low 0\nhigh 3\nmax 17\noom 0\n");
            write("memory.pressure", pressure(5_300_000));
            cgroup.sample(2 * SECOND, this::record);
        }

        assertThat(events.types())
                .containsExactly(TimelineEventType.MEMORY_LIMIT_HIT, TimelineEventType.MEMORY_PRESSURE);
        assertThat(events.all().get(0).longDetail("hits", 0)).isEqualTo(7);
        assertThat(events.all().get(1).detail("share")).isEqualTo(0.3);
        assertThat(samples)
                .containsEntry("cgroup.mds.usageBytes", 104_857_600L)
                .containsEntry("cgroup.mds.limitHits", 20L)
                .containsEntry("cgroup.mds.freeBytes", 104_857_600L)
                .containsEntry("cgroup.mds.cachedBytes", 3_500L)
                .containsEntry("cgroup.mds.majorFaults", 7L)
                .containsEntry("cgroup.mds.somePressureUs", 5_300_000L);
    }

    @Test
    void shouldReportALimitThatWasHitInVersion1ButNotAnOldOne() throws IOException {
        write("memory.usage_in_bytes", "209715200\n");
        write("memory.limit_in_bytes", "9223372036854771712\n");
        write("memory.stat", "inactive_file 1\ntotal_inactive_file 3000\ntotal_active_file 500\ntotal_pgmajfault 7\n");
        write("memory.failcnt", "5\n");
        try (CgroupMemory cgroup = new CgroupMemory("mds", new CgroupPaths(directory, 1), events)) {
            for (int second = 1; second < 100; second++) {
                cgroup.sample(second * SECOND, this::record);
            }
            assertThat(events.all()).isEmpty();
            write("memory.failcnt", "6\n");
            cgroup.sample(101 * SECOND, this::record);
        }
        assertThat(events.types()).containsExactly(TimelineEventType.MEMORY_LIMIT_HIT);
        assertThat(samples).containsEntry("cgroup.mds.usageBytes", 209_715_200L);
    }

    /** As much with swap as without: the kernel meets the second limit first, and counts there. */
    @Test
    void shouldCountAtTheLimitWithSwapInVersion1() throws IOException {
        writeVersion1(200 << 20);
        write("memory.memsw.failcnt", "2\n");
        try (CgroupMemory cgroup = new CgroupMemory("mds", new CgroupPaths(directory, 1), events)) {
            cgroup.sample(SECOND, this::record);
            assertThat(events.all()).isEmpty();
            write("memory.memsw.failcnt", "9\n");
            cgroup.sample(2 * SECOND, this::record);
        }
        assertThat(events.types()).containsExactly(TimelineEventType.MEMORY_LIMIT_HIT);
        assertThat(events.all().get(0).longDetail("hits", 0)).isEqualTo(7);
    }

    @Test
    void shouldTakeTheHighestUseForAHitWhereVersion1DoesNotCount() throws IOException {
        writeVersion1(200 << 20);
        write("memory.max_usage_in_bytes", "104857600\n");
        try (CgroupMemory cgroup = new CgroupMemory("mds", new CgroupPaths(directory, 1), events)) {
            cgroup.sample(SECOND, this::record);
            write("memory.max_usage_in_bytes", "199229440\n");
            cgroup.sample(2 * SECOND, this::record);
            assertThat(events.all()).as("95 % of the limit").isEmpty();
            write("memory.max_usage_in_bytes", "209711104\n");
            for (int second = 3; second < 10; second++) {
                cgroup.sample(second * SECOND, this::record);
            }
        }
        assertThat(events.types()).containsExactly(TimelineEventType.MEMORY_LIMIT_HIT);
        assertThat(events.all().get(0).longDetail("hits", 0)).isEqualTo(1);
        assertThat(samples).containsEntry("cgroup.mds.limitHits", 1L);
    }

    @Test
    void shouldNotTakeAnOldHighestUseForAHit() throws IOException {
        writeVersion1(200 << 20);
        write("memory.max_usage_in_bytes", "209711104\n");
        try (CgroupMemory cgroup = new CgroupMemory("mds", new CgroupPaths(directory, 1), events)) {
            cgroup.sample(SECOND, this::record);
        }
        assertThat(events.all()).isEmpty();
    }

    @Test
    void shouldFindTheGroupOfEitherVersion() throws IOException {
        Path first = Files.createDirectories(directory.resolve("memory/box/mds"));
        Path second = Files.createDirectories(directory.resolve("unified/mds"));
        Files.writeString(first.resolve("memory.usage_in_bytes"), "1\n");
        List<String> mounts = List.of(
                "cgroup " + directory + "/memory cgroup rw,relatime,memory 0 0",
                "cgroup2 " + directory + "/unified cgroup2 rw 0 0");
        List<String> memberships = List.of("4:memory:/box/mds", "0::/mds");

        assertThat(CgroupPaths.find(memberships, mounts)).contains(new CgroupPaths(first, 1));
        Files.writeString(second.resolve("memory.current"), "1\n");
        assertThat(CgroupPaths.find(memberships, mounts)).contains(new CgroupPaths(second, 2));
        assertThat(CgroupPaths.find(List.of("3:cpu:/"), mounts)).isEmpty();
    }

    @Test
    void shouldNotAllocatePerSample() {
        try (MemoryInstrument memory = new MemoryInstrument("mds", PID, event -> {})) {
            assertThat(Allocations.bytesOf(2_000, () -> memory.sample(1, SampleSink.NONE)))
                    .isZero();
        }
    }

    private void record(Series series, long timeNs, long value) {
        samples.put(series.toString(), value);
    }

    /** Uses half of its limit, and has no count of hits. */
    private void writeVersion1(long limitBytes) throws IOException {
        write("memory.usage_in_bytes", limitBytes / 2 + "\n");
        write("memory.limit_in_bytes", limitBytes + "\n");
        write("memory.stat", "total_inactive_file 3000\ntotal_active_file 500\ntotal_pgmajfault 7\n");
        write("memory.failcnt", "0\n");
    }

    private static String pressure(long someUs) {
        String averages = " avg10=0.00 avg60=0.00 avg300=0.00 total=";
        return "some" + averages + someUs + "\nfull" + averages + "400\n";
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
    }
}
