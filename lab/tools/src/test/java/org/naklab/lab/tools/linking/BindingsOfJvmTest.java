package org.naklab.lab.tools.linking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
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
            // What the JVM binds when it reads and answers a word for the first time.
            jvm.command("nothing");
            Bindings wholeBefore = BindingsReader.ofProcess(jvm.pid());
            jvm.command("yield");
            Bindings wholeAfter = BindingsReader.ofProcess(jvm.pid());

            List<String> bound = new ArrayList<>(open(wholeBefore));
            bound.removeAll(open(wholeAfter));
            assertThat(bound)
                    .as("slots of all libraries of the process")
                    .singleElement()
                    .asString()
                    .endsWith("libnaklab_yield.so sched_yield");
            assertThat(wholeAfter.unbound()).isEqualTo(wholeBefore.unbound() - 1);
            Bindings.Library after = yieldLibrary(jvm);
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
                    .satisfies(library -> assertThat(library.binding().slots()).isPositive());
        }
    }

    private static List<String> open(Bindings bindings) {
        return bindings.libraries().stream()
                .flatMap(library -> library.symbols().stream().map(symbol -> library.file() + " " + symbol.symbol()))
                .toList();
    }

    private static Bindings.Library yieldLibrary(YieldingJvm jvm) {
        return BindingsReader.ofProcess(jvm.pid()).libraries().stream()
                .filter(library -> library.file().endsWith("libnaklab_yield.so"))
                .findFirst()
                .orElseThrow();
    }
}
