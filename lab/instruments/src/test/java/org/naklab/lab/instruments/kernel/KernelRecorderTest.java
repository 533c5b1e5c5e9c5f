package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.testing.Await;

/** Starts and ends the recorder. */
@Timeout(120)
class KernelRecorderTest extends VictimRecording {
    @AfterAll
    static void shouldLeaveNoProgram() {
        assertThat(ProcessHandle.current()
                        .children()
                        .filter(ProcessHandle::isAlive)
                        .map(KernelRecorderTest::command))
                .noneMatch(command -> command.contains("naklab-kernel"));
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
            assertThat(log.of(Absence.class))
                    .filteredOn(absence -> absence.isOpen() && absence.beganBefore())
                    .isNotEmpty()
                    .as("in which functions of the kernel the threads still are")
                    .anyMatch(absence -> !absence.kernelStack().isEmpty());
            assertThat(log.of(KernelRecord.RecorderEnd.class)).singleElement().matches(end -> end.reason()
                    .isEmpty());
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
            Await.until("the end", () -> !log.of(KernelRecord.RecorderEnd.class).isEmpty());
            assertThat(log.of(KernelRecord.RecorderEnd.class).get(0).reason()).contains("ended by itself");
            assertThat(recorder.source()).isEqualTo(RecorderSource.BPF);
        }
    }

    /** The recorder keeps what it has, and its last record says that something is missing. */
    @Test
    void shouldEndAProgramThatDoesNotEndInTime() throws Exception {
        BpfRecorder recorder = BpfRecorder.start(RecorderSettings.DEFAULT, log);
        Process stop = new ProcessBuilder("kill", "-STOP", Long.toString(recorder.pid())).start();
        assertThat(stop.waitFor()).isZero();

        recorder.close(1);

        assertThat(log.of(KernelRecord.RecorderEnd.class)).singleElement().satisfies(end -> assertThat(end.reason())
                .contains("did not end within 1 s"));
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
}
