package org.naklab.lab.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.naklab.lab.core.Format;
import org.naklab.lab.instruments.linux.CgroupPaths;
import org.naklab.lab.instruments.linux.KernelSetting;
import org.naklab.messaging.MessagingException;
import org.naklab.messaging.MulticastProbe;
import org.naklab.messaging.Ports;
import org.naklab.messaging.TopicChannels;

/** Checks the JVM, the kernel and the network of this machine. */
final class MachineChecks {
    private static final int OLDEST_JDK = 17;
    private static final int NEWEST_TESTED_JDK = 25;
    private static final long ENOUGH_SHARED_MEMORY_BYTES = 512L << 20;
    /** LBT-RM's default receiver socket buffer. */
    private static final long LBTRM_BUFFER_BYTES = 8L << 20;

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private MachineChecks() {}

    static List<Check> all() {
        return List.of(
                MachineChecks::jdk,
                MachineChecks::multicast,
                MachineChecks::cores,
                MachineChecks::sharedMemory,
                MachineChecks::receiveBuffer,
                MachineChecks::controlGroups);
    }

    private static CheckResult jdk() {
        int feature = Runtime.version().feature();
        String found = Runtime.version() + " in " + System.getProperty("java.home");
        if (feature > NEWEST_TESTED_JDK) {
            return CheckResult.no("JDK", found, "tested on 17 to 25; set JAVA_HOME to one of them");
        }
        return CheckResult.of("JDK", feature >= OLDEST_JDK, found, "install JDK 17 or later and set JAVA_HOME")
                .asNeeded();
    }

    private static CheckResult multicast() {
        try {
            TopicChannels channels = TopicChannels.onLoopback(Ports.findFreeBase());
            MulticastProbe.check(channels);
            return CheckResult.yes("multicast", "a datagram sent to a group on loopback was received")
                    .asNeeded();
        } catch (MessagingException e) {
            return CheckResult.no(
                            "multicast",
                            String.valueOf(e.getMessage()),
                            "ip link set lo multicast on; ip route add 224.0.0.0/4 dev lo")
                    .asNeeded();
        }
    }

    private static CheckResult cores() {
        int cores = Runtime.getRuntime().availableProcessors();
        return CheckResult.of(
                "cores",
                cores >= 2,
                String.valueOf(cores),
                "one core: use a low --rate; the machine itself will cause stalls");
    }

    private static CheckResult sharedMemory() {
        try {
            long free = Files.getFileStore(SHARED_MEMORY).getUsableSpace();
            return CheckResult.of(
                    "/dev/shm",
                    free >= ENOUGH_SHARED_MEMORY_BYTES,
                    Format.bytes(free) + " free",
                    "mount -o remount,size=1g /dev/shm (Docker: --shm-size=1g)");
        } catch (IOException e) {
            return CheckResult.no(
                    "/dev/shm",
                    "none",
                    "Aeron's files are written to " + System.getProperty("java.io.tmpdir") + " instead");
        }
    }

    private static CheckResult receiveBuffer() {
        OptionalLong limit = KernelSetting.rmemMaxBytes();
        if (limit.isEmpty()) {
            return CheckResult.no("rmem_max", "cannot be read", "each run reports the buffer size that it was granted");
        }
        return CheckResult.of(
                "rmem_max",
                limit.getAsLong() >= LBTRM_BUFFER_BYTES,
                Format.bytes(limit.getAsLong()) + " (LBT-RM asks for " + Format.bytes(LBTRM_BUFFER_BYTES) + ")",
                "sufficient; for the size of LBT-RM: sysctl -w net.core.rmem_max=" + LBTRM_BUFFER_BYTES);
    }

    private static CheckResult controlGroups() {
        int version = CgroupPaths.versionOfMachine();
        return CheckResult.of(
                "cgroups",
                version > 0,
                version > 0 ? "version " + version : "none",
                "memory limits and throttled reads need Linux with cgroups");
    }
}
