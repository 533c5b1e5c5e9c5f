package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.instruments.kernel.counters.CgroupFreezer;
import org.naklab.lab.instruments.kernel.symbols.MappedPlace;
import org.naklab.lab.instruments.kernel.symbols.StackFrame;
import org.naklab.lab.instruments.linux.CpuSteal;
import org.naklab.lab.instruments.linux.ProcessSignals;
import org.naklab.testing.Await;
import org.naklab.testing.FreePorts;

/** Compares what the BPF programs report with what foreign processes measure by themselves. */
@Timeout(120)
class KernelRecorderTest {
    private static final long LONG_NS = 200_000_000L;

    /** Of what the victim measured; the rest is its own work around the wait. */
    private static final double SHARE = 0.9;

    /** The victim's; together they are larger than the ring. */
    private static final int SLEEPS = 20_000;

    @TempDir
    static Path directory;

    private static Path program;

    @TempDir
    Path own;

    private final RecordLog log = new RecordLog();
    private final long stolenBeforeNs = stolenNs();

    @BeforeAll
    static void prepare() throws Exception {
        program = Victim.compile(directory);
        String reason = KernelRecorder.whyNot(RecorderSource.BPF);
        Assumptions.assumeThat(reason).isEmpty();
    }

    @AfterAll
    static void shouldLeaveNoProgram() {
        assertThat(ProcessHandle.current()
                        .children()
                        .filter(ProcessHandle::isAlive)
                        .map(KernelRecorderTest::command))
                .noneMatch(command -> command.contains("naklab-kernel"));
    }

    @Test
    void shouldNameTheHolderOfALock() throws Exception {
        try (Victim victim = Victim.start(program, "lock");
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            victim.go();
            Interval span = victim.span();
            Absence absence = longestIn(recorder, span, "victim");

            assertExplains(absence, span);
            assertThat(absence.state()).isEqualTo(WaitState.SLEEPING);
            assertThat(absence.isIn("futex")).isTrue();
            assertThat(absence.waking()).isNotNull();
            assertThat(absence.waking().waker().comm()).isEqualTo("reporter");
            assertThat(absence.waking().waker().pid()).isEqualTo((int) victim.pid());
            assertThat(absence.waking().byInterrupt()).isFalse();
            assertThat(absence.userStack())
                    .extracting(StackFrame::symbol)
                    .containsSubsequence("pthread_mutex_lock", "main", "_start");
            assertThat(absence.userStackCut()).isFalse();
            assertThat(recorder.source()).isEqualTo(RecorderSource.BPF);
        }
    }

    @Test
    void shouldTellThatATimerWoke() throws Exception {
        try (Victim victim = Victim.start(program, "lock");
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            victim.go();
            Absence absence = longestIn(recorder, victim.span(), "reporter");
            assertThat(recorder.missing()).isEmpty();
            assertThat(absence.isIn("nanosleep")).isTrue();
            assertThat(absence.waking()).isNotNull();
            assertThat(absence.waking().byInterrupt()).isTrue();
        }
    }

    @Test
    void shouldRecordAStopBySignal() throws Exception {
        try (Victim victim = Victim.start(program, "beat");
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            victim.go();
            assertThat(victim.line()).containsExactly("beats");
            Await.until("asleep between two beats", () -> state(victim.pid()) == 'S');
            long beginNs = System.nanoTime();
            ProcessSignals.stop(victim.pid());
            Await.until("stopped for long", () -> System.nanoTime() - beginNs >= LONG_NS);
            ProcessSignals.resume(victim.pid());
            Interval span = victim.span();
            Absence absence = longestIn(recorder, span, "victim");

            assertExplains(absence, span);
            assertThat(absence.state()).isEqualTo(WaitState.STOPPED);
            assertThat(absence.waking()).isNotNull();
            assertThat(absence.waking().waker().pid())
                    .isEqualTo((int) ProcessHandle.current().pid());
        }
    }

    @Test
    void shouldNameTheThreadThatPreempted() throws Exception {
        int processor = Runtime.getRuntime().availableProcessors() - 1;
        try (Victim victim = Victim.start(program, "spin", Integer.toString(processor));
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            victim.go();
            Interval span = victim.span();
            assertThat(recorder.add(Integer.MAX_VALUE)).isFalse();
            Absence absence = longestIn(recorder, span, "victim");

            assertExplains(absence, span);
            assertThat(absence.state()).isEqualTo(WaitState.PREEMPTED);
            assertThat(absence.blockedNs()).isZero();
            assertThat(absence.runnableNs()).isEqualTo(absence.lengthNs());
            assertThat(absence.next()).isNotNull();
            assertThat(absence.next().comm()).isEqualTo("hog");
            assertThat(absence.beginCpu()).isEqualTo(processor);
            assertThat(log.of(ProcessLife.class))
                    .anyMatch(life -> life.event() == ProcessLife.Event.FORK && !life.isNewThread());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/sys/fs/cgroup/freezer, freezer.state, FROZEN, THAWED",
        "/sys/fs/cgroup/unified, cgroup.freeze, 1, 0",
        "/sys/fs/cgroup, cgroup.freeze, 1, 0"
    })
    void shouldRecordAFreeze(Path hierarchy, String file, String frozen, String thawed) throws Exception {
        Path group = hierarchy.resolve("naklab-test-" + ProcessHandle.current().pid());
        Assumptions.assumeThat(Files.isWritable(hierarchy.resolve("cgroup.procs")))
                .as("no such hierarchy")
                .isTrue();
        Files.createDirectory(group);
        try {
            Assumptions.assumeThat(group.resolve(file)).exists();
            recordAFreeze(group, file, frozen, thawed);
        } finally {
            Await.until("the group is empty", () -> group.toFile().delete());
        }
    }

    private void recordAFreeze(Path group, String file, String frozen, String thawed) throws Exception {
        try (Victim victim = Victim.start(program, "beat");
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            Files.writeString(group.resolve("cgroup.procs"), Long.toString(victim.pid()));
            CgroupFreezer freezer = CgroupFreezer.ofProcess(victim.pid());
            assertThat(freezer.frozenGroup()).isEmpty();
            victim.go();
            assertThat(victim.line()).containsExactly("beats");
            Await.until("asleep between two beats", () -> state(victim.pid()) == 'S');
            Files.writeString(group.resolve(file), frozen);
            try {
                Await.until("frozen", () -> freezer.frozenGroup().isPresent());
                long beginNs = System.nanoTime();
                Await.until("frozen for long", () -> System.nanoTime() - beginNs >= LONG_NS);
                assertThat(freezer.frozenGroup()).contains(group);
            } finally {
                Files.writeString(group.resolve(file), thawed);
            }
            Interval span = victim.span();
            Absence absence = longestIn(recorder, span, "victim");

            assertExplains(absence, span);
            assertThat(absence.state()).as(absence.toString()).isEqualTo(WaitState.FROZEN);
            assertThat(recorder.source()).isEqualTo(RecorderSource.BPF);
        }
    }

    @Test
    void shouldRecordAWriteToAFrozenFileSystem() throws Exception {
        Path image = own.resolve("image");
        Path mount = Files.createDirectory(own.resolve("mount"));
        try (var file = new java.io.RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(16L << 20);
        }
        if (!run("mkfs.ext4", "-q", image.toString())
                || !run("mount", "-o", "loop", image.toString(), mount.toString())) {
            abort("no loop mount is possible here");
        }
        try {
            Path target = Files.createFile(mount.resolve("file"));
            try (Victim victim = Victim.start(program, "write", target.toString());
                    KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
                assertThat(run("fsfreeze", "--freeze", mount.toString())).isTrue();
                long beginNs = System.nanoTime();
                try {
                    victim.go();
                    Await.until("blocked", () -> state(victim.pid()) == 'D');
                    Await.until("blocked for long", () -> System.nanoTime() - beginNs >= LONG_NS);
                } finally {
                    assertThat(run("fsfreeze", "--unfreeze", mount.toString())).isTrue();
                }
                Interval span = victim.span();
                Absence absence = longestIn(recorder, span, "victim");

                assertExplains(absence, span);
                assertThat(absence.state()).isEqualTo(WaitState.BLOCKED);
                assertThat(absence.isIn("percpu_rwsem_wait")
                                || absence.isIn("sb_start_write")
                                || absence.isIn("percpu_down_read"))
                        .as(absence.toString())
                        .isTrue();
                assertThat(absence.isIn("vfs_write")).isTrue();
                assertThat(recorder.source()).isEqualTo(RecorderSource.BPF);
            }
        } finally {
            assertThat(run("umount", mount.toString())).isTrue();
        }
    }

    @Test
    void shouldRecordAPageFaultThatWaitsForUserSpace() throws Exception {
        try (Victim victim = Victim.start(program, "uffd");
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            victim.go();
            List<String> touch = victim.line();
            Interval span = new Interval(Long.parseLong(touch.get(1)), Long.parseLong(touch.get(2)));
            Absence absence = longestIn(recorder, span, "victim");
            end(recorder);
            PageFaultSpan fault = log.of(PageFaultSpan.class).stream()
                    .filter(candidate -> candidate.address() == Long.parseLong(touch.get(3)))
                    .findFirst()
                    .orElseThrow();

            assertThat(new Interval(fault.beginNs(), fault.endNs()).coveredBy(List.of(span)))
                    .isGreaterThan(SHARE);
            assertThat(span.coveredBy(List.of(new Interval(fault.beginNs(), fault.endNs()))))
                    .isGreaterThan(SHARE);
            assertThat(fault.target()).isEqualTo(MappedPlace.ANONYMOUS);
            assertThat(fault.code()).isNotNull();
            assertThat(fault.code().shortName()).isEqualTo("victim .text");
            assertThat(absence.fault()).isNotNull();
            assertThat(absence.fault().address()).isEqualTo(fault.address());
            assertThat(absence.isIn("handle_userfault")).isTrue();
            assertThat(absence.userStack()).extracting(StackFrame::symbol).contains("main", "_start");
            assertThat(recorder.source()).isEqualTo(RecorderSource.BPF);
        }
    }

    /** Deferred, files of the process are not read while it may still fault: records come at the end. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNameFileAndSectionOfAPageFault(boolean deferred) throws Exception {
        Assumptions.assumeThat(Files.getFileStore(own).type())
                .as("a memory file system has nothing to fault in from")
                .isNotEqualTo("tmpfs");
        Path copy = Files.copy(program, own.resolve("library.so"));
        RecorderSettings all = new RecorderSettings(5_000_000, 1_000, 0, deferred, List.of());
        try (Victim victim = Victim.start(program, "touch", copy.toString(), Long.toString(Files.size(copy)));
                KernelRecorder recorder = record(all, victim)) {
            victim.go();
            List<List<String>> touches = new ArrayList<>();
            for (List<String> touch = victim.line(); !touch.get(0).equals("done"); touch = victim.line()) {
                if (!touch.get(5).equals("0")) {
                    touches.add(touch);
                }
            }
            if (deferred) {
                assertThat(log.of(PageFaultSpan.class)).isEmpty();
            }
            end(recorder);

            assertThat(touches).isNotEmpty();
            for (List<String> touch : touches) {
                Interval span = new Interval(Long.parseLong(touch.get(1)), Long.parseLong(touch.get(2)));
                PageFaultSpan fault = log.of(PageFaultSpan.class).stream()
                        .filter(candidate -> candidate.address() == Long.parseLong(touch.get(3)))
                        .findFirst()
                        .orElseThrow();
                assertThat(span.contains(fault.beginNs()) && span.contains(fault.endNs()))
                        .isTrue();
                assertThat(fault.major()).isTrue();
                assertThat(fault.target()).isNotNull();
                assertThat(fault.target().file()).isEqualTo(copy.toString());
                assertThat(fault.target().fileOffset()).isEqualTo(Long.parseLong(touch.get(4)));
                assertThat(fault.target().section())
                        .isEqualTo(section(copy, fault.target().fileOffset()));
            }
        }
    }

    @Test
    void shouldCountDroppedDatagramsByReason() throws Exception {
        int port = FreePorts.pair();
        try (Victim victim = Victim.start(program, "udp", Integer.toString(port));
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            victim.go();
            List<String> counts = victim.line();
            end(recorder);

            assertThat(drops("SOCKET_RCVBUFF", port)).isEqualTo(Long.parseLong(counts.get(1)));
            assertThat(drops("UDP_CSUM", port)).isEqualTo(Long.parseLong(counts.get(2)));
            assertThat(log.of(DatagramDrops.class).stream().filter(drops -> drops.port() == port))
                    .allMatch(drops -> drops.destination().equals("127.0.0.1"));
        }
    }

    @Test
    void shouldReportAbsencesThatAreNotOverAsOpen() throws Exception {
        try (Victim victim = Victim.start(program, "lock")) {
            long beginNs;
            try (KernelRecorder recorder =
                    record(new RecorderSettings(1_000_000, 1_000_000, 1, false, List.of()), victim)) {
                beginNs = System.nanoTime();
                Await.until("long enough", () -> System.nanoTime() - beginNs > 5_000_000);
                assertThat(recorder.missing()).isEmpty();
            }
            assertThat(log.of(Absence.class)).anyMatch(absence -> absence.isOpen() && absence.beganBefore());
            assertThat(log.of(RecorderEnd.class)).singleElement().matches(end -> end.reason()
                    .isEmpty());
        }
    }

    @Test
    void shouldCountWhatItLoses() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        KernelRecordListener slow = kernelRecord -> {
            awaitQuietly(release);
            log.onRecord(kernelRecord);
        };
        try (Victim victim = Victim.start(program, "sleep");
                KernelRecorder recorder = KernelRecorder.start(
                        RecorderSource.BPF,
                        List.of(victim.pid()),
                        new RecorderSettings(1_000, 1_000_000, 2, false, List.of()),
                        slow)) {
            victim.go();
            assertThat(victim.line()).containsExactly("done");
            release.countDown();
            end(recorder);

            long lost = log.of(LostRecords.class).stream()
                    .mapToLong(LostRecords::count)
                    .sum();
            assertThat(lost).isPositive();
            assertThat(lost + log.of(Absence.class).size()).isGreaterThan((long) (SHARE * SLEEPS));
        } finally {
            release.countDown();
        }
    }

    @Test
    void shouldReportThatItsProgramEndedByItself() throws Exception {
        try (KernelRecorder recorder = record(RecorderSettings.DEFAULT)) {
            ProcessHandle helper = ProcessHandle.current()
                    .children()
                    .filter(child -> command(child).contains("naklab-kernel"))
                    .findFirst()
                    .orElseThrow();
            helper.destroyForcibly();
            Await.until("the end", () -> !log.of(RecorderEnd.class).isEmpty());
            assertThat(log.of(RecorderEnd.class).get(0).reason()).contains("ended by itself");
            assertThat(recorder.source()).isEqualTo(RecorderSource.BPF);
        }
    }

    @Test
    void shouldEndWithItsParent() throws Exception {
        Process lab = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        KernelRecorderMain.class.getName(),
                        Long.toString(ProcessHandle.current().pid()))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            List<ProcessHandle> helpers = new ArrayList<>();
            Await.until("the program", () -> {
                lab.toHandle()
                        .children()
                        .filter(child -> command(child).contains("naklab-kernel"))
                        .forEach(helpers::add);
                return !helpers.isEmpty() || !lab.isAlive();
            });
            assertThat(helpers).isNotEmpty();
            lab.destroyForcibly().waitFor();
            Await.until("its end", () -> helpers.stream().noneMatch(ProcessHandle::isAlive));
        } finally {
            lab.destroyForcibly();
        }
    }

    @Test
    void shouldSayThatItNeedsRoot() throws Exception {
        Path helper = Files.createTempFile("naklab-kernel-", ""); // the directory of the test is for its owner alone
        try {
            runAsNobody(helper);
        } finally {
            Files.delete(helper);
        }
    }

    private static void runAsNobody(Path helper) throws IOException, InterruptedException {
        try (InputStream in = Objects.requireNonNull(BpfProgram.class.getResourceAsStream("native/naklab-kernel"))) {
            Files.copy(in, helper, StandardCopyOption.REPLACE_EXISTING);
        }
        assertThat(helper.toFile().setReadable(true, false)).isTrue();
        assertThat(helper.toFile().setExecutable(true, false)).isTrue();
        Process process = new ProcessBuilder("setpriv", "--reuid=65534", "--clear-groups", helper.toString()).start();
        String line = process.inputReader(StandardCharsets.US_ASCII).readLine();
        assertThat(RecordParser.parse(line))
                .isInstanceOfSatisfying(RecordParser.Unavailable.class, unavailable -> assertThat(unavailable.reason())
                        .contains("not root"));
        assertThat(process.waitFor()).isEqualTo(69);
    }

    private KernelRecorder record(RecorderSettings settings, Victim... victims) {
        List<Long> pids = LongStream.of(
                        java.util.Arrays.stream(victims).mapToLong(Victim::pid).toArray())
                .boxed()
                .toList();
        return KernelRecorder.start(RecorderSource.BPF, pids, settings, log);
    }

    /** Ends the recorder first: a short absence within the span may have been delivered while the longest one has not. */
    private Absence longestIn(KernelRecorder recorder, Interval span, String comm) {
        end(recorder);
        return log.longestIn(span, comm);
    }

    /** Before its time, so that everything has been delivered. */
    private static void end(KernelRecorder recorder) {
        recorder.close();
    }

    /** The absence accounts for the span. Time that a hypervisor took is neither the victim's nor the recorder's. */
    private void assertExplains(Absence absence, Interval span) {
        double covered = span.coveredBy(List.of(absence.interval(0)));
        long missingNs = (long) ((1 - covered) * span.lengthNs());
        if (covered < SHARE && stolenNs() - stolenBeforeNs >= missingNs / 2) {
            abort("the machine stood still");
        }
        assertThat(covered).as(absence + " of " + span).isGreaterThan(SHARE);
        assertThat(absence.blockedNs() + absence.runnableNs()).isEqualTo(absence.lengthNs());
    }

    private static long stolenNs() {
        try (CpuSteal steal = new CpuSteal(Path.of("/proc/stat"))) {
            steal.read();
            return LongStream.range(0, steal.processors())
                    .map(processor -> steal.stolenNs((int) processor))
                    .sum();
        }
    }

    private long drops(String reason, int port) {
        return log.of(DatagramDrops.class).stream()
                .filter(drops -> drops.port() == port && drops.reason().equals(reason))
                .mapToLong(DatagramDrops::count)
                .sum();
    }

    /** Asks binutils; the section with the greatest offset that is not behind the place. */
    private static String section(Path file, long offset) throws IOException {
        Process readelf = new ProcessBuilder("readelf", "--sections", "--wide", file.toString()).start();
        return readelf.inputReader(StandardCharsets.US_ASCII)
                .lines()
                .map(line -> line.replaceAll("^ *\\[ *\\d+\\] *", "").split(" +", -1))
                .filter(words -> words.length > 5 && words[2].matches("[0-9a-f]{16}") && !words[1].equals("NOBITS"))
                .filter(words -> Long.parseLong(words[3], 16) <= offset
                        && offset < Long.parseLong(words[3], 16) + Long.parseLong(words[4], 16))
                .max(Comparator.comparingLong(words -> Long.parseLong(words[3], 16)))
                .map(words -> words[0])
                .orElse("");
    }

    private static char state(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            throw new DetectException("the victim is gone", e);
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
        } catch (IOException notInstalled) {
            return false;
        }
    }

    private static String command(ProcessHandle process) {
        return process.info().command().orElse("");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
