package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.instruments.kernel.symbols.MappedPlace;
import org.naklab.lab.instruments.kernel.symbols.StackFrame;
import org.naklab.testing.Matrix;

/** Compares recorded page faults with what the thread that faulted has measured. */
@Matrix
@Timeout(120)
class LivePageFaultRecordTest extends VictimRecording {
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

    /** The order of a real late bind: the linker looks a symbol up and waits for a page of the library's hash table. */
    @Test
    void shouldRecordTheStackOfALateBind() throws Exception {
        Assumptions.assumeThat(KernelRecorder.resolves("do_lookup_x"))
                .as("symbols of the dynamic linker")
                .isTrue();
        try (Victim victim = Victim.start(program, "bind");
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            victim.go();
            Absence absence = longestIn(recorder, victim.span(), "victim");

            assertThat(absence.isIn("handle_userfault")).isTrue();
            assertThat(absence.userStack())
                    .extracting(frame -> frame.symbol().replaceFirst("^(_dl_runtime_resolve).*", "$1"))
                    .containsSubsequence("do_lookup_x", "_dl_fixup", "_dl_runtime_resolve", "main");
            assertThat(log.of(PageFaultSpan.class))
                    .anyMatch(fault -> fault.code() != null
                            && fault.code().shortName().matches("ld-linux\\S* \\.text")
                            && fault.endNs() - fault.beginNs() >= LONG_NS);
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
}
