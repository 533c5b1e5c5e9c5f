package org.naklab.lab.instruments.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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

    @Test
    void shouldTellHowTheKernelReads() throws IOException {
        Path queue = Files.createDirectories(sys.resolve("devices/pci/sda/queue"));
        Files.writeString(queue.resolve("read_ahead_kb"), "128\n");
        Files.writeString(
                sys.resolve("devices/pci/sda/stat"),
                " 1599234    96890 79276482  2634770  2479876  1643658 314797336  1783925        0   580264  4657526\n");
        Disk disk = new Disk("8:0");
        assertThat(disk.readAheadBytes(sys.resolve("block"))).isEqualTo(128 << 10);
        assertThat(disk.meanReadMs(sys.resolve("block"))).isCloseTo(1.6475, within(0.0001));
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
