package org.naklab.lab.containers.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class DiskTest {
    @TempDir
    private Path sys;

    /** As in /sys: a link for each device into the tree of devices, in which a partition is below its disk. */
    @BeforeEach
    void makeDevices() throws IOException {
        Path devices = Files.createDirectory(sys.resolve("block"));
        Path disk = Files.createDirectories(sys.resolve("devices/pci/sda"));
        Path partition = Files.createDirectory(disk.resolve("sda1"));
        Files.writeString(disk.resolve("dev"), "8:0\n");
        Files.writeString(partition.resolve("dev"), "8:1\n");
        Files.writeString(partition.resolve("partition"), "1\n");
        Files.createSymbolicLink(devices.resolve("8:0"), disk);
        Files.createSymbolicLink(devices.resolve("8:1"), partition);
    }

    @Test
    void shouldFindTheDiskOfAPartition() {
        assertThat(Disk.of("8:1", sys.resolve("block"))).contains(new Disk("8:0"));
    }

    @Test
    void shouldTakeADiskAsItIs() {
        assertThat(Disk.of("8:0", sys.resolve("block"))).contains(new Disk("8:0"));
    }

    /** The numbers of a file system in memory, or of a layered one, are those of no device. */
    @Test
    void shouldFindNoDiskBehindOtherFileSystems() {
        assertThat(Disk.of("0:42", sys.resolve("block"))).isEmpty();
    }

    @Test
    void shouldAskForTheNearestDirectoryThatIsThere() {
        assertThat(Disk.of(sys.resolve("runs/mystery/first"))).isEqualTo(Disk.of(sys));
    }
}
