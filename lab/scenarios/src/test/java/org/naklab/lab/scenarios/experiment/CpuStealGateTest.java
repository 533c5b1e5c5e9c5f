package org.naklab.lab.scenarios.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Cancellation;
import org.naklab.testing.TestFiles;

class CpuStealGateTest {
    private final Cancellation cancellation = new Cancellation();
    private final List<String> told = new ArrayList<>();
    private int pauses;

    @TempDir
    private Path directory;

    @Test
    void shouldNotWaitForAQuietHost() throws InterruptedException {
        assertThat(host(0.02).await(cancellation, told::add)).isTrue();
        assertThat(pauses).isZero();
        assertThat(told).isEmpty();
    }

    @Test
    void shouldWaitUntilTheHostLeavesOff() throws InterruptedException {
        assertThat(host(0.68, 0.4, 0.11, 0.1).await(cancellation, told::add)).isTrue();
        assertThat(pauses).isEqualTo(3);
        assertThat(told).singleElement().asString().contains("68 %");
    }

    @Test
    void shouldGiveUpOnAHostThatDoesNotLeaveOff() throws InterruptedException {
        CpuStealGate host = new CpuStealGate(() -> 0.7, () -> pauses++);
        assertThat(host.await(cancellation, told::add)).isFalse();
        assertThat(pauses).isEqualTo(47);
    }

    @Test
    void shouldGiveUpWhenCancelled() throws InterruptedException {
        CpuStealGate host = new CpuStealGate(() -> 0.7, cancellation::request);
        assertThat(host.await(cancellation, told::add)).isFalse();
    }

    @Test
    void shouldSeeNoTheftWhereTheMachineDoesNotTell() {
        assertThat(CpuStealGate.stolenShare(directory.resolve("absent"), processors -> {}))
                .isZero();
    }

    @Test
    void shouldSeeNoTheftWhereTheCountRests() {
        Path stat = TestFiles.stat(directory, 9, 9);
        assertThat(CpuStealGate.stolenShare(stat, processors -> TestFiles.stat(directory, 9, 9)))
                .isZero();
    }

    /** A whole second in much less of one. */
    @Test
    void shouldSeeTheftFromOneOfTwo() {
        Path stat = TestFiles.stat(directory, 9, 9);
        assertThat(CpuStealGate.stolenShare(stat, processors -> TestFiles.stat(directory, 9, 109)))
                .isPositive();
    }

    private CpuStealGate host(Double... shares) {
        Queue<Double> looks = new ArrayDeque<>(List.of(shares));
        return new CpuStealGate(looks::remove, () -> pauses++);
    }
}
