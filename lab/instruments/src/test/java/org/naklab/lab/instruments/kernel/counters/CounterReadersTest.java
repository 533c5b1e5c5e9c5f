package org.naklab.lab.instruments.kernel.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.CgroupPaths;

/** Reads recorded files, and the machine's own. */
@Timeout(60)
class CounterReadersTest {
    private static final long PID = ProcessHandle.current().pid();

    @TempDir
    Path directory;

    @Test
    void shouldReadThrottlingOfVersion1() throws IOException {
        write("cpu.stat", "nr_periods 12", "nr_throttled 9", "throttled_time 1460123456", "nr_bursts 0");
        assertThat(CpuThrottling.read(new CgroupPaths(directory, 1)))
                .isEqualTo(new CpuThrottling.Reading(directory, 9, 1_460_123_456));
    }

    @Test
    void shouldReadThrottlingOfVersion2InTheSameUnit() throws IOException {
        write("cpu.stat", "usage_usec 5", "nr_periods 12", "nr_throttled 9", "throttled_usec 1460123");
        assertThat(CpuThrottling.read(new CgroupPaths(directory, 2)))
                .isEqualTo(new CpuThrottling.Reading(directory, 9, 1_460_123_000));
    }

    @Test
    void shouldReadTheQuotasOfGroupsAbove() throws IOException {
        Path own = Files.createDirectories(directory.resolve("above/own"));
        Files.writeString(directory.resolve("cpu.stat"), "usage_usec 5\n"); // the root has no quota
        Files.writeString(directory.resolve("above/cpu.stat"), "nr_throttled 3\nthrottled_usec 7\n");
        Files.writeString(own.resolve("cpu.stat"), "nr_throttled 0\nthrottled_usec 0\n");
        assertThat(CpuThrottling.upwards(new CgroupPaths(own, 2)))
                .extracting(CgroupPaths::directory)
                .containsExactly(own, directory.resolve("above"));
    }

    @Test
    void shouldReadItsOwnThrottling() {
        assertThat(CpuThrottling.ofProcess(PID).read()).allSatisfy(reading -> {
            assertThat(reading.timesThrottled()).isNotNegative();
            assertThat(reading.throttledNs()).isNotNegative();
        });
    }

    @Test
    void shouldTellAFrozenGroupOfEitherVersion() throws IOException {
        Path second = Files.createDirectory(directory.resolve("second"));
        Path first = Files.createDirectory(directory.resolve("first"));
        CgroupFreezer freezer = new CgroupFreezer(List.of(new CgroupPaths(second, 2), new CgroupPaths(first, 1)));
        assertThat(freezer.frozenGroup()).isEmpty();

        Files.writeString(second.resolve("cgroup.events"), "populated 1\nfrozen 0\n");
        Files.writeString(first.resolve("freezer.state"), "THAWED\n");
        assertThat(freezer.frozenGroup()).isEmpty();

        Files.writeString(first.resolve("freezer.state"), "FREEZING\n");
        assertThat(freezer.frozenGroup()).contains(first);

        Files.writeString(second.resolve("cgroup.events"), "populated 1\nfrozen 1\n");
        assertThat(freezer.frozenGroup()).contains(second);
        assertThat(CgroupFreezer.ofProcess(PID).frozenGroup()).isEmpty();
    }

    @Test
    void shouldReadUdpCountersOfBothProtocols() throws IOException {
        write(
                "snmp",
                "Ip: Forwarding InReceives InAddrErrors InDiscards ReasmTimeout ReasmFails",
                "Ip: 1 37157072 1 2 3 4",
                "Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors IgnoredMulti MemErrors",
                "Udp: 39125775 5 1532432 35536015 1532032 0 400 141 6");
        write(
                "netstat",
                "TcpExt: SyncookiesSent IPReversePathFilter",
                "TcpExt: 0 7",
                "IpExt: InNoRoutes InTruncatedPkts",
                "IpExt: 8 0");
        write(
                "snmp6",
                "Udp6InDatagrams                 \t10",
                "Udp6RcvbufErrors                \t20",
                "Ip6ReasmFails  \t30");
        UdpCounters counters = UdpCounters.read(directory);

        assertThat(counters)
                .isEqualTo(new UdpCounters(
                        39_125_785,
                        new UdpCounters.Udp(5, 1_532_432, 1_532_052, 400, 6),
                        new UdpCounters.Ip(3, 34, 2, 1, 7, 8)));
        assertThat(counters.minus(counters))
                .isEqualTo(
                        new UdpCounters(0, new UdpCounters.Udp(0, 0, 0, 0, 0), new UdpCounters.Ip(0, 0, 0, 0, 0, 0)));
        assertThat(UdpCounters.ofProcess(PID).inDatagrams()).isNotNegative();
    }

    @Test
    void shouldSaySoWhenTheProcessIsGone() {
        assertThatExceptionOfType(DetectException.class)
                .isThrownBy(() -> UdpCounters.ofProcess(Integer.MAX_VALUE))
                .withMessageContaining("snmp");
    }

    @Test
    void shouldAddUpTheProcessorsOfSoftnet() throws IOException {
        write(
                "softnet_stat",
                "00c9da37 00000002 00000001 00000000 00000000 00000000",
                "00000001 0000000a 00000010 00000000 00000000 00000000");
        assertThat(SoftnetCounters.read(directory.resolve("softnet_stat")))
                .isEqualTo(new SoftnetCounters(0xc9da38, 12, 17));
        assertThat(SoftnetCounters.read().processed()).isPositive();
    }

    @Test
    void shouldNameTheHolderOfAFileLock() throws IOException {
        write(
                "locks",
                "1: FLOCK  ADVISORY  WRITE 11030 fe:00:9986832 0 EOF",
                "2: POSIX  ADVISORY  WRITE 9726 fe:00:819288 0 EOF",
                "2: -> POSIX  ADVISORY  WRITE 9801 fe:00:819288 0 EOF",
                "3: OFDLCK ADVISORY  READ  -1 00:1c:5 0 EOF");
        FileLocks locks = FileLocks.read(directory.resolve("locks"));

        assertThat(locks.all()).hasSize(4);
        assertThat(locks.holderThatBlocks(9801))
                .contains(new FileLocks.Lock(2, false, "POSIX", "WRITE", 9726, "fe:00:819288"));
        assertThat(locks.holderThatBlocks(9726)).isEmpty();
    }

    @Test
    void shouldSeeALockOfItsOwn() throws IOException {
        try (RandomAccessFile file =
                        new RandomAccessFile(directory.resolve("locked").toFile(), "rw");
                FileLock lock = file.getChannel().lock()) {
            assertThat(lock.isValid()).isTrue();
            assertThat(FileLocks.read().all())
                    .anyMatch(held -> held.pid() == PID && held.kind().equals("POSIX") && !held.waits());
        }
    }

    private void write(String file, String... lines) throws IOException {
        Files.write(directory.resolve(file), List.of(lines));
    }
}
