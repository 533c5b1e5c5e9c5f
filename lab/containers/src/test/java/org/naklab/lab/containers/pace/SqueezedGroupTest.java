package org.naklab.lab.containers.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.faults.binding.NativeLibraries;
import org.naklab.lab.instruments.disk.Disk;
import org.naklab.lab.instruments.linux.CgroupPaths;

/** The groups are directories of the test's own: a kernel has one of both versions. */
@Timeout(60)
final class SqueezedGroupTest {
    private static final SqueezedGroup.Limits LIMITS = new SqueezedGroup.Limits(384 << 20, 10, 0);
    private static final long DISK_TIMEOUT_S = 10;

    @TempDir
    private Path directory;

    private Path readAhead;
    private OwnLibraries libraries;

    @BeforeEach
    void makeTheMachine() throws IOException {
        assumeThat(NativeLibraries.unavailableReason()).isEmpty();
        readAhead = Files.writeString(directory.resolve("read_ahead_kb"), "8192\n");
        libraries = new OwnLibraries(directory.resolve("libraries"));
    }

    @Test
    void shouldLimitMemoryAndReadsInAGroupEachUnderVersion1() throws Exception {
        CgroupPaths memory = parent("memory", 1);
        CgroupPaths reads = parent("blkio", 1);
        SqueezedGroup squeezed = squeezed(memory, reads);
        assertThat(squeezed.directories()).containsExactly(memory.file("squeezed"), reads.file("squeezed"));
        squeezed.prepare();
        assertThat(memory.file("squeezed/memory.limit_in_bytes")).hasContent("402653184");
        assertThat(reads.file("squeezed/blkio.throttle.read_iops_device")).doesNotExist();
        squeezed.onFlowStarted();
        assertSlow(squeezed);
        assertThat(reads.file("squeezed/blkio.throttle.read_iops_device")).hasContent("254:0 10");
        close(squeezed);
    }

    @Test
    void shouldLimitBothInOneGroupUnderVersion2() throws Exception {
        CgroupPaths only = parent("unified", 2);
        SqueezedGroup squeezed = squeezed(only, only);
        assertThat(squeezed.directories()).containsExactly(only.file("squeezed"));
        squeezed.prepare();
        assertThat(only.file("cgroup.subtree_control")).hasContent("+memory +io");
        assertThat(only.file("squeezed/memory.max")).hasContent("402653184");
        squeezed.onFlowStarted();
        assertSlow(squeezed);
        assertThat(only.file("squeezed/io.max")).hasContent("254:0 riops=10");
        close(squeezed);
    }

    /** What the copies take of the page cache belongs to the groups: whoever writes them joins all of the groups first. */
    @Test
    void shouldChargeTheLibrariesToTheGroups() throws IOException {
        CgroupPaths memory = parent("memory", 1);
        CgroupPaths reads = parent("blkio", 1);
        SqueezedGroup squeezed = squeezed(memory, reads);
        squeezed.prepare();
        long joined = Long.parseLong(
                Files.readString(memory.file("squeezed/cgroup.procs")).strip());
        assertThat(joined).isNotEqualTo(ProcessHandle.current().pid());
        assertThat(reads.file("squeezed/cgroup.procs")).hasContent(String.valueOf(joined));
        try (Stream<Path> copies = Files.list(libraries.directory())) {
            assertThat(copies.map(copy -> copy.getFileName().toString())).contains("libc.so.6", "libnaklab_yield.so");
        }
        close(squeezed);
    }

    @Test
    void shouldReadAheadAsFarAsBeforeInTheEnd() throws IOException {
        CgroupPaths only = parent("unified", 2);
        SqueezedGroup squeezed = squeezed(only, only);
        squeezed.prepare();
        assertThat(readAhead).hasContent("128");
        close(squeezed);
        assertThat(readAhead).hasContent("8192");
    }

    /** A delegated group may limit memory and reads, but the read-ahead of the disk is root's. */
    @Test
    void shouldNameTheFileOfAReadAheadThatCannotBeLowered() throws IOException {
        assertThat(HostReadAhead.obstacle(readAhead, file -> true)).isEmpty();
        assertThat(HostReadAhead.obstacle(readAhead, file -> false))
                .hasValueSatisfying(reason -> assertThat(reason).contains("sudo", readAhead.toString()));
        Path low = Files.writeString(directory.resolve("low_kb"), "128\n");
        assertThat(HostReadAhead.obstacle(low, file -> false)).isEmpty();
        Path missing = directory.resolve("missing_kb");
        assertThat(HostReadAhead.obstacle(missing))
                .hasValueSatisfying(reason -> assertThat(reason).contains(missing.toString()));
    }

    private SqueezedGroup squeezed(CgroupPaths memory, CgroupPaths reads) {
        return new SqueezedGroup(
                "squeezed", new SqueezedGroup.Site(memory, reads, new Disk("254:0"), readAhead), libraries, LIMITS);
    }

    private CgroupPaths parent(String name, int version) throws IOException {
        return new CgroupPaths(Files.createDirectory(directory.resolve(name)), version);
    }

    private static void assertSlow(SqueezedGroup squeezed) throws Exception {
        squeezed.slowed().get(DISK_TIMEOUT_S, TimeUnit.SECONDS);
        squeezed.collect();
    }

    /** The kernel's groups have no files that would have to be deleted. */
    private static void close(SqueezedGroup squeezed) throws IOException {
        for (Path group : squeezed.directories()) {
            try (Stream<Path> files = Files.list(group)) {
                for (Path file : List.copyOf(files.toList())) {
                    Files.delete(file);
                }
            }
        }
        squeezed.close();
        assertThat(squeezed.directories()).allSatisfy(group -> assertThat(group).doesNotExist());
    }
}
