package org.naklab.lab.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.PageFault;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.records.Stall;
import org.naklab.lab.records.memory.PageFaultRecord;

/** Tests the table of page faults against the accounts of the recorded stalls. */
@Timeout(60)
final class PageFaultsTest {
    private static final Path CORPUS = Path.of("src/main/cases");
    private static final double MOST_DIFFERENCE_MS = 2;
    private static final double LEAST_KNOWN = 0.95;
    private static final int LEAST_STALLS = 5;
    private static final Set<AccountKind> OF_FAULTS = EnumSet.of(AccountKind.PAGE_FAULT, AccountKind.SWAP);
    private static final Set<AccountKind> IN_FAULTS =
            EnumSet.of(AccountKind.PAGE_FAULT, AccountKind.SWAP, AccountKind.RECLAIM, AccountKind.LOCK);

    private static Judgement judge(Path directory) {
        try (CaseReader reader = CaseReader.open(directory)) {
            return Judgement.of(reader.read(), reader.truth());
        }
    }

    private static List<Judgement> corpus() throws IOException {
        try (Stream<Path> directories = Files.list(CORPUS)) {
            return directories
                    .filter(Files::isDirectory)
                    .sorted()
                    .map(PageFaultsTest::judge)
                    .toList();
        }
    }

    @Test
    void shouldSumToThePartOfTheAccount() throws IOException {
        int compared = 0;
        for (Judgement judgement : corpus()) {
            for (Stall stall : judgement.stalls()) {
                double faultsMs = faultsMs(judgement.pageFaults(), stall);
                if (faultsMs > 0) {
                    assertThat(faultsMs)
                            .as("table and %s", stall)
                            .isLessThan(accountMs(stall, IN_FAULTS) + MOST_DIFFERENCE_MS);
                    compared++;
                }
                assertThat(faultsMs)
                        .as("table and %s", stall)
                        .isGreaterThan(accountMs(stall, OF_FAULTS) - MOST_DIFFERENCE_MS);
            }
        }
        assertThat(compared).isGreaterThanOrEqualTo(LEAST_STALLS);
    }

    private static double faultsMs(List<PageFaultRecord> faults, Stall stall) {
        return faults.stream()
                .filter(fault -> fault.process().equals(stall.process())
                        && fault.thread().equals(stall.thread()))
                .mapToDouble(fault -> new Interval(stall.atNs(), stall.endNs())
                        .intersection(new Interval(fault.atNs(), fault.endNs()))
                        .map(Interval::lengthMs)
                        .orElse(0.0))
                .sum();
    }

    private static double accountMs(Stall stall, Set<AccountKind> kinds) {
        return stall.account().entries().stream()
                .filter(entry -> kinds.contains(entry.kind()))
                .mapToDouble(AccountEntry::ms)
                .sum();
    }

    @Test
    void shouldKnowTheFileOfNearlyEachFault() throws IOException {
        List<PageFaultRecord> all = new ArrayList<>();
        corpus().forEach(judgement -> all.addAll(judgement.pageFaults()));
        long known = all.stream().filter(fault -> !fault.place().isEmpty()).count();
        assertThat(all).isNotEmpty();
        assertThat((double) known / all.size()).isGreaterThanOrEqualTo(LEAST_KNOWN);
    }

    @Test
    void shouldHaveTheStackAndTheSectionOfTheStory() {
        List<PageFaultRecord> faults =
                judge(CORPUS.resolve("late-binding-evicted-a")).pageFaults();
        assertThat(faults).singleElement().satisfies(fault -> {
            assertThat(fault.major()).isTrue();
            assertThat(fault.place()).isEqualTo("libc.so.6 .dynsym");
            assertThat(fault.durationMs()).isCloseTo(153.1, within(0.1));
            assertThat(String.join(" ", fault.stack())).contains("_dl_fixup");
        });
    }

    /** The wait for the page is in the dynamic linker, which the resolver's trampoline called, in each recording. */
    @ParameterizedTest
    @ValueSource(strings = {"a", "b", "c", "d"})
    void shouldHaveFaultedInTheLinkerBelowItsResolver(String recording) {
        assertThat(judge(CORPUS.resolve("late-binding-evicted-" + recording)).pageFaults())
                .anySatisfy(fault -> {
                    assertThat(fault.major()).isTrue();
                    assertThat(fault.thread()).isEqualTo("mds-context");
                    assertThat(String.join("\n", fault.stack()))
                            .containsSubsequence("_dl_fixup", "_dl_runtime_resolve");
                });
    }

    @Test
    void shouldTellAddressFileAndSectionOfAFault() {
        Interval interval = new Interval(10_000_000, 157_200_000);
        PageFault fault = new PageFault(
                "mds",
                "mds-context",
                interval,
                true,
                "libc.so.6 .gnu.hash",
                "ld.so .text",
                new PageFault.Page("0x7f12", "/usr/lib/libc.so.6", ".gnu.hash"));
        PageFault tooShort =
                new PageFault("mds", "mds-context", new Interval(1_000_000, 1_999_999), true, "libc.so.6", "", null);
        ThreadAbsence absence = new ThreadAbsence(
                "mds",
                "mds-context",
                new Interval(10_100_000, 157_100_000),
                147_000_000,
                ThreadAbsence.State.BLOCKED,
                "",
                false,
                true,
                "",
                List.of("folio_wait_bit_common", "filemap_fault", "asm_exc_page_fault"),
                List.of("_dl_lookup_symbol_x", "_dl_fixup"));
        assertThat(PageFaults.of(List.of(tooShort, fault, absence), new Interval(0, 1_000_000_000)))
                .containsExactly(new PageFaultRecord(
                        10_000_000,
                        147.2,
                        "mds",
                        "mds-context",
                        true,
                        "libc.so.6 .gnu.hash",
                        "0x7f12",
                        "/usr/lib/libc.so.6",
                        ".gnu.hash",
                        List.of("_dl_lookup_symbol_x", "_dl_fixup")))
                .first()
                .extracting(PageFaultRecord::sentence)
                .isEqualTo("147.2 ms at 0x7f12 (libc.so.6 .gnu.hash), major, in _dl_lookup_symbol_x");
    }

    /** The kernel did not count the fault: the absence in it is all that is known. */
    @Test
    void shouldTellAddressFileAndSectionOfAFaultThatWasNotCounted() {
        ThreadAbsence absence = new ThreadAbsence(
                        "mds",
                        "mds-context",
                        new Interval(10_000_000, 157_000_000),
                        147_000_000,
                        ThreadAbsence.State.BLOCKED,
                        "",
                        false,
                        true,
                        "",
                        List.of("folio_wait_bit_common", "filemap_fault", "handle_mm_fault", "asm_exc_page_fault"),
                        List.of("_dl_fixup"))
                .inFault(new ThreadAbsence.Fault(
                        "libc.so.6 .gnu.hash", new PageFault.Page("0x7f12", "/usr/lib/libc.so.6", ".gnu.hash")));
        assertThat(PageFaults.of(List.of(absence), new Interval(0, 1_000_000_000)))
                .singleElement()
                .extracting(PageFaultRecord::sentence)
                .isEqualTo("147.0 ms at 0x7f12 (libc.so.6 .gnu.hash), major, in _dl_fixup");
    }
}
