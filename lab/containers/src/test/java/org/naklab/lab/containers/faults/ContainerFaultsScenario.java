package org.naklab.lab.containers.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.naklab.faults.FaultProof;
import org.naklab.lab.containers.BlockDevice;
import org.naklab.lab.containers.ContainerEnvironment;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.Docker;
import org.naklab.lab.containers.Image;
import org.naklab.lab.containers.ReadAhead;
import org.naklab.lab.core.UsageException;
import org.naklab.testing.Contained;
import org.naklab.testing.host.ContainerEngine;

/** The faults that are not the network's, each in a container that does what the fault hinders. */
@Contained
@ExtendWith(ContainerEngine.class)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class ContainerFaultsScenario {
    private static final String LABEL = ContainerEnvironment.LABEL + "=test";
    private static final int SMALL_MB = 8;

    private final String name = "naklab-test-" + ProcessHandle.current().pid() + '-' + System.nanoTime();
    private final List<String> volumes = new ArrayList<>();

    @AfterEach
    void remove() {
        Docker.attempt("rm", "--force", "--volumes", name);
        volumes.forEach(volume -> Docker.run("volume", "rm", volume));
    }

    @Test
    void shouldPause() {
        start();
        FaultProof proof;
        try (ContainerFault pause = ContainerFaults.of(name).pause()) {
            assertThat(state("{{.State.Status}}")).isEqualTo("paused");
            proof = pause.proof();
        }
        assertThat(state("{{.State.Status}}")).isEqualTo("running");
        assertThat(proof.fired()).as(proof.explanation()).isTrue();
        assertThat(Docker.run("exec", name, "echo", "awake")).isEqualTo("awake");
    }

    @Test
    void shouldKill() {
        start();
        try (ContainerFault kill = ContainerFaults.of(name).kill()) {
            FaultProof proof = kill.proof();
            assertThat(proof.fired()).as(proof.explanation()).isTrue();
            assertThat(proof.figure("exitCode")).isEqualTo(137);
        }
        assertThat(state("{{.State.Running}}")).isEqualTo("false");
    }

    @Test
    void shouldNotClaimADeathThatDidNotCome() {
        start();
        try (ContainerFault kill = ContainerFaults.of(name).kill()) {
            Docker.run("start", name);
            FaultProof proof = kill.proof();
            assertThat(proof.fired()).as(proof.explanation()).isFalse();
        }
    }

    @Test
    void shouldSlowWrites() {
        start("--volume", "/journal");
        String writes = "dd if=/dev/zero of=/journal/file bs=64k count=80 oflag=direct,dsync";
        FaultProof slowed = proofWhile(DiskLimit.bytesWrittenPerSecond(1 << 20), writes);
        assertThat(slowed.fired()).as(slowed.explanation()).isTrue();
        assertThat(slowed.figure("served")).isGreaterThanOrEqualTo(5 << 20);
    }

    @Test
    void shouldSlowReads() {
        start("--volume", "/journal");
        Docker.run("exec", name, "sh", "-c", "dd if=/dev/zero of=/journal/file bs=64k count=100 conv=fsync");
        String reads = "dd if=/journal/file of=/dev/null bs=64k iflag=direct";
        FaultProof slowed = proofWhile(DiskLimit.readsPerSecond(20), reads);
        assertThat(slowed.fired()).as(slowed.explanation()).isTrue();
    }

    /** Looks at the limit's counts while the container does it: what comes before and after is no part of what it could do. */
    private FaultProof proofWhile(DiskLimit limit, String command) {
        try (ContainerFault slow = ContainerFaults.of(name).slowDisk(limit)) {
            FaultProof proof = slow.proof();
            assertThat(proof.fired()).as(proof.explanation()).isFalse();
            CompletableFuture<String> running =
                    CompletableFuture.supplyAsync(() -> Docker.run("exec", name, "sh", "-c", command));
            while (!proof.fired() && !running.isDone()) {
                proof = slow.proof();
            }
            running.join();
            return slow.proof();
        }
    }

    @Test
    void shouldSlowReadsLater() {
        start();
        CompletableFuture<Docker.Result> asked = LateDiskLimit.ask(
                name + "-limit", name, BlockDevice.find(), DiskLimit.readsPerSecond(20), TimeUnit.SECONDS.toNanos(10));
        assertThat(limitOnReads()).as("before the limit has come").isEmpty();
        assertThat(asked).as("comes after ten seconds").isNotDone();
        Docker.Result result = asked.join();
        assertThat(result.succeeded()).as(result.output()).isTrue();
        assertThat(limitOnReads()).containsPattern("^\\d+:\\d+ (20|.*riops=20.*)$");
    }

    /** As the kernel tells it. */
    private String limitOnReads() {
        return new ContainerCgroup(name, "blkio")
                .run("if [ $v = 2 ]; then cat $g/io.max; else cat $g/blkio.throttle.read_iops_device; fi");
    }

    @Test
    void shouldReadAheadByTheKernelsDefaultForAWhile() {
        String device = BlockDevice.find();
        long formerKib;
        try (ReadAhead lowered = ReadAhead.lowered(device)) {
            formerKib = lowered.formerKib();
            try (ReadAhead again = ReadAhead.lowered(device)) {
                assertThat(again.formerKib()).isLessThanOrEqualTo(ReadAhead.DEFAULT_KIB);
            }
        }
        try (ReadAhead afterwards = ReadAhead.lowered(device)) {
            assertThat(afterwards.formerKib()).isEqualTo(formerKib);
        }
    }

    @Test
    void shouldFillAVolumeAndFreeIt() {
        start("--volume", smallVolume() + ":/small");
        String write = "echo something | tee /small/file";
        FaultProof proof;
        try (ContainerFault full = ContainerFaults.of(name).fullDisk("/small", (SMALL_MB + 1L) << 20)) {
            proof = full.proof();
            Docker.Result refused = Docker.attempt("exec", name, "sh", "-c", write);
            assertThat(refused.succeeded()).isFalse();
            assertThat(refused.output()).contains("No space left on device");
        }
        assertThat(proof.fired()).as(proof.explanation()).isTrue();
        assertThat(proof.figure("filledBytes")).isEqualTo(SMALL_MB << 20);
        assertThat(Docker.run("exec", name, "sh", "-c", write + " && ls -A /small"))
                .isEqualTo("something\nfile");
    }

    @Test
    void shouldNotFillMoreThanItMay() {
        start("--volume", smallVolume() + ":/small");
        assertThatThrownBy(() -> ContainerFaults.of(name).fullDisk("/small", 1 << 20))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("more than the limit of 1048576");
        assertThat(Docker.run("exec", name, "ls", "-A", "/small")).isEmpty();
    }

    @Test
    void shouldLowerTheMemoryLimit() {
        start("--memory", "128m", "--memory-swap", "128m", "--volume", "/journal");
        // Page cache, of which the kernel has to drop some at the limit; the process itself has room enough.
        String fill = "dd if=/dev/zero of=/journal/file bs=1M count=64 conv=fsync";
        FaultProof proof;
        try (ContainerFault lowered = ContainerFaults.of(name).memoryLimit(32 << 20)) {
            assertThat(state("{{.HostConfig.Memory}}")).isEqualTo(String.valueOf(32 << 20));
            FaultProof idle = lowered.proof();
            assertThat(idle.fired()).as(idle.explanation()).isFalse();
            Docker.run("exec", name, "sh", "-c", fill);
            proof = lowered.proof();
        }
        assertThat(proof.fired()).as(proof.explanation()).isTrue();
        assertThat(state("{{.HostConfig.Memory}}")).isEqualTo(String.valueOf(128 << 20));
    }

    @Test
    void shouldRefuseALimitThatLowersNothing() {
        start();
        assertThatThrownBy(() -> ContainerFaults.of(name).memoryLimit(32 << 20))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("has no memory limit");
    }

    @Test
    void shouldBeClosedTwiceAndAfterTheContainerEnded() {
        start();
        ContainerFault loss = ContainerFaults.of(name).network().incoming().loss(50);
        ContainerFault corruption =
                ContainerFaults.of(name).network().outgoing().corruption(50);
        ContainerFault pause = ContainerFaults.of(name).pause();
        pause.close();
        Docker.run("rm", "--force", name);
        for (ContainerFault fault : List.of(loss, corruption, pause)) {
            fault.close();
            fault.close();
        }
        assertThat(loss.proof().fired()).isFalse();
    }

    private void start(String... options) {
        List<String> command = new ArrayList<>(
                List.of("run", "--detach", "--no-healthcheck", "--name", name, "--label", LABEL, "--user", "0"));
        command.addAll(List.of(options));
        command.addAll(List.of(Image.name(), "sleep", "600"));
        Docker.run(command.toArray(String[]::new));
    }

    private String smallVolume() {
        String volume = name + "-small";
        Docker.run(
                "volume",
                "create",
                "--label",
                LABEL,
                "--opt",
                "type=tmpfs",
                "--opt",
                "device=tmpfs",
                "--opt",
                "o=size=" + SMALL_MB + "m",
                volume);
        volumes.add(volume);
        return volume;
    }

    private String state(String format) {
        return Docker.run("inspect", "--format", format, name);
    }
}
