package org.naklab.faults.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The yield library's own relocations and flags: were it bound early, nothing of the incident would be left. */
@Timeout(60)
class YieldLibraryLinkageTest {
    @BeforeEach
    void assumeThatTheyWereBuilt() {
        NativeSupport.assume();
    }

    @Test
    void shouldCallSchedYieldThroughTheLinkageTable() throws IOException {
        assertThat(yieldLibrary().jumpSlots()).contains("sched_yield", "getrusage", "clock_gettime");
    }

    @Test
    void shouldNotAskToBeBoundAtLoad() throws IOException {
        ElfFile library = yieldLibrary();

        assertThat(library.dynamic(ElfFile.DT_BIND_NOW)).isEmpty();
        assertThat(library.dynamic(ElfFile.DT_FLAGS).orElse(0) & ElfFile.DF_BIND_NOW)
                .isZero();
        assertThat(library.dynamic(ElfFile.DT_FLAGS_1).orElse(0) & ElfFile.DF_1_NOW)
                .isZero();
    }

    @Test
    void shouldSeeEarlyBindingWhereItIs() throws IOException {
        try (NativeLibraries libraries = NativeLibraries.open()) {
            ElfFile audit = ElfFile.read(libraries.auditLibrary());

            assertThat(audit.dynamic(ElfFile.DT_FLAGS_1).orElse(0) & ElfFile.DF_1_NOW)
                    .isNotZero();
        }
    }

    private static ElfFile yieldLibrary() throws IOException {
        try (NativeLibraries libraries = NativeLibraries.open()) {
            return ElfFile.read(libraries.yieldLibrary());
        }
    }
}
