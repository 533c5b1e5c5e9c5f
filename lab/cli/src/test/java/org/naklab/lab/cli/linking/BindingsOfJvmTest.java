package org.naklab.lab.cli.linking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.faults.binding.NativeLibraries;
import org.naklab.lab.instruments.linking.Bindings;
import org.naklab.lab.instruments.linking.BindingsReader;

/** The mystery before it happens: a JVM with the library that the replica's service yields through. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class BindingsOfJvmTest {
    @TempDir
    Path directory;

    @BeforeEach
    void unpack() {
        assumeTrue(NativeLibraries.unavailableReason().isEmpty(), "the native libraries are not built here");
        NativeLibraries.unpackTo(directory);
    }

    @Test
    void shouldSeeThatTheFirstYieldChangesExactlyOneSlot() throws Exception {
        try (YieldingJvm jvm = YieldingJvm.start(directory, Map.of())) {
            Bindings.Library before = yieldLibrary(jvm);
            jvm.command("yield");
            Bindings.Library after = yieldLibrary(jvm);

            List<String> bound = before.symbols().stream()
                    .map(Bindings.Symbol::symbol)
                    .filter(symbol -> after.symbols().stream()
                            .noneMatch(open -> open.symbol().equals(symbol)))
                    .toList();
            assertThat(bound).containsExactly("sched_yield");
            assertThat(after.unbound()).isEqualTo(before.unbound() - 1);
            jvm.command("yield");
            assertThat(yieldLibrary(jvm).symbols()).isEqualTo(after.symbols());
        }
    }

    @Test
    void shouldFindNothingOpenWithBindNow() throws Exception {
        try (YieldingJvm jvm = YieldingJvm.start(directory, Map.of("LD_BIND_NOW", "1"))) {
            Bindings bindings = BindingsReader.ofProcess(jvm.pid());
            assertThat(bindings.unbound()).isZero();
            assertThat(bindings.libraries())
                    .filteredOn(library -> library.file().endsWith("libnaklab_yield.so"))
                    .singleElement()
                    .satisfies(library -> assertThat(library.slots()).isPositive());
        }
    }

    private static Bindings.Library yieldLibrary(YieldingJvm jvm) {
        return BindingsReader.ofProcess(jvm.pid()).libraries().stream()
                .filter(library -> library.file().endsWith("libnaklab_yield.so"))
                .findFirst()
                .orElseThrow();
    }
}
