package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.testing.Await;
import org.naklab.testing.Matrix;

/** Waits that are too short for a record of their own, and the lock of a file, by both sources. */
@Matrix
@Timeout(120)
class LiveShortWaitsTest extends VictimRecording {
    /** Of the sleep of each round; the kernel's tick is a coarse measure of the CPU time in between. */
    private static final double LEAST_BLOCKED = 0.8;

    private static final long SAMPLE_NS = 10_000_000;
    private static final long LIMIT_BYTES = 32L << 20;

    @ParameterizedTest
    @EnumSource
    void shouldMeasureManyShortWaitsTogether(RecorderSource source) throws Exception {
        try (Victim victim = Victim.start(program, "short");
                KernelRecorder recorder =
                        KernelRecorder.start(source, List.of(victim.pid()), RecorderSettings.DEFAULT, log)) {
            victim.go();
            Interval span = victim.span();
            end(recorder);

            assertThat(waitedNs(span) + absentNs(span)).isGreaterThan((long) (LEAST_BLOCKED * span.lengthNs()));
            assertThat(waitedNs(span)).isBetween(span.lengthNs() / 4, span.lengthNs());
            if (source == RecorderSource.BPF) {
                assertThat(waits(span)).allMatch(waits -> waits.kernelStack().stream()
                        .anyMatch(function -> function.contains("nanosleep")));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotTakeAThreadThatRunsForOneThatWaits(RecorderSource source) throws Exception {
        try (Victim victim = Victim.start(program, "busy");
                KernelRecorder recorder =
                        KernelRecorder.start(source, List.of(victim.pid()), RecorderSettings.DEFAULT, log)) {
            victim.go();
            Interval span = victim.span();
            end(recorder);

            long blockedNs = waits(span).stream()
                    .filter(waits -> waits.task().comm().equals("worker"))
                    .mapToLong(KernelRecord.ShortWaits::blockedNs)
                    .sum();
            assertThat(blockedNs).isLessThan(span.lengthNs() / 5);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNameTheFileAndTheHolderOfItsLock(RecorderSource source) throws Exception {
        Path file = Files.createFile(own.resolve("locked"));
        try (Victim victim = Victim.start(program, "flock", file.toString());
                KernelRecorder recorder =
                        KernelRecorder.start(source, List.of(victim.pid()), RecorderSettings.DEFAULT, log)) {
            victim.go();
            List<String> line = victim.line();
            Interval span = new Interval(Long.parseLong(line.get(1)), Long.parseLong(line.get(2)));
            Await.until("the end of the wait", () -> log.isAbsentFor(LEAST_BLOCKED, span, "victim"));
            Absence.FileLock lock = longestIn(recorder, span, "victim").fileLock();
            victim.go();

            assertThat(lock).isNotNull();
            assertThat(lock.call()).isEqualTo("flock");
            assertThat(lock.file()).isEqualTo(file.toString());
            assertThat(lock.holder()).isNotNull();
            assertThat(lock.holder().comm()).isEqualTo("holder");
            assertThat(lock.holder().pid()).isEqualTo(Integer.parseInt(line.get(3)));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldSampleWhatAThreadDoesOnAProcessor(boolean ofUser) throws Exception {
        RecorderSettings settings =
                RecorderSettings.DEFAULT.withSamples(new RecorderSettings.Sampling(SAMPLE_NS, ofUser));
        try (Victim victim = Victim.start(program, "busy");
                KernelRecorder recorder =
                        KernelRecorder.start(RecorderSource.BPF, List.of(victim.pid()), settings, log)) {
            victim.go();
            Interval span = victim.span();
            end(recorder);

            List<KernelRecord.Sample> samples = log.of(KernelRecord.Sample.class).stream()
                    .filter(sample -> span.contains(sample.timeNs()))
                    .filter(sample -> sample.task().comm().equals("worker"))
                    .toList();
            assertThat(samples).hasSizeGreaterThan((int) (span.lengthNs() / SAMPLE_NS / 10));
            if (ofUser) {
                assertThat(samples).filteredOn(sample -> isIn(sample, "work")).hasSizeGreaterThan(samples.size() / 2);
            } else {
                assertThat(samples).allMatch(sample -> sample.userStack().isEmpty());
            }
        }
        assertThat(log.of(KernelRecord.RecorderEnd.class)).singleElement().matches(end -> end.reason()
                .isEmpty());
    }

    @Test
    void shouldMeasureTheReclaimOfMemory() throws Exception {
        Path groups = Path.of("/sys/fs/cgroup/memory");
        assumeThat(Files.isWritable(groups))
                .as("needs root and the memory controller of version 1")
                .isTrue();
        Path file = own.resolve("large");
        try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
            large.setLength(8 * LIMIT_BYTES);
        }
        Path group = Files.createDirectory(
                groups.resolve("naklab-" + ProcessHandle.current().pid()));
        try (Victim victim = Victim.start(program, "read", file.toString())) {
            Files.writeString(group.resolve("memory.limit_in_bytes"), Long.toString(LIMIT_BYTES));
            Files.writeString(group.resolve("cgroup.procs"), Long.toString(victim.pid()));
            try (KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
                victim.go();
                Interval span = victim.span();
                end(recorder);

                long reclaimNs = log.of(KernelRecord.Reclaim.class).stream()
                        .mapToLong(KernelRecord.Reclaim::reclaimNs)
                        .sum();
                assertThat(reclaimNs).isPositive().isLessThan(span.lengthNs());
                assertThat(log.of(KernelRecord.Reclaim.class))
                        .allMatch(reclaim -> reclaim.reclaimNs() <= reclaim.endNs() - reclaim.beginNs());
            }
        } finally {
            Files.delete(group);
        }
    }

    private static boolean isIn(KernelRecord.Sample sample, String function) {
        return sample.userStack().stream().anyMatch(frame -> frame.symbol().equals(function));
    }

    /** A wait of 3 ms may last for 5 on a busy machine. */
    private long absentNs(Interval span) {
        return log.of(Absence.class).stream()
                .map(absence -> absence.interval(span.endNs()))
                .mapToLong(absence ->
                        absence.intersection(span).map(Interval::lengthNs).orElse(0L))
                .sum();
    }

    private long waitedNs(Interval span) {
        return waits(span).stream()
                .mapToLong(waits -> (long) ((waits.blockedNs() + waits.runnableNs())
                        * new Interval(waits.beginNs(), waits.endNs()).coveredBy(List.of(span))))
                .sum();
    }

    private List<KernelRecord.ShortWaits> waits(Interval span) {
        return log.of(KernelRecord.ShortWaits.class).stream()
                .filter(waits -> new Interval(waits.beginNs(), waits.endNs()).overlaps(span))
                .toList();
    }
}
