package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.instruments.kernel.symbols.MappedPlace;
import org.naklab.lab.instruments.kernel.symbols.ProcessMappings;

@Timeout(60)
final class PlaceResolverTest {
    private static final TaskId THREAD = new TaskId(1, 1, "recv");
    private static final long MS = 1_000_000;

    @TempDir
    private Path process;

    private int reads;
    private long nowNs = 1_000 * MS;

    @BeforeEach
    void map() throws IOException {
        map("7000-8000 r--p 00000000 fe:00 1 [heap]\n");
    }

    @Test
    void shouldReadTheMappingsOnceForABatchOfFaults() {
        PlaceResolver resolver = resolver();

        for (long atMs = 500; atMs < 1_000; atMs++) {
            assertThat(target(resolver, atMs, 0x7100)).isEqualTo("[heap]");
        }

        assertThat(reads).isOne();
    }

    @Test
    void shouldReadThemAgainForLaterFaults() {
        PlaceResolver resolver = resolver();
        target(resolver, 900, 0x7100);

        nowNs = 2_000 * MS;
        target(resolver, 1_900, 0x7100);

        assertThat(reads).isEqualTo(2);
    }

    @Test
    void shouldFindWhatWasMappedAMomentAgo() throws IOException {
        PlaceResolver resolver = resolver();
        assertThat(target(resolver, 1_001, 0x7100)).isEqualTo("[heap]");

        map("9000-a000 r--p 00000000 fe:00 1 [stack]\n");

        assertThat(target(resolver, 1_002, 0x9100)).isEqualTo("[stack]");
    }

    @Test
    void shouldNotReadThemAgainForAnAddressThatIsNotMapped() {
        PlaceResolver resolver = resolver();
        target(resolver, 900, 0x7100);

        assertThat(target(resolver, 950, 0x100)).isEmpty();
        assertThat(reads).isOne();
    }

    private PlaceResolver resolver() {
        return new PlaceResolver(
                pid -> {
                    reads++;
                    return ProcessMappings.read(process);
                },
                Absence::kernelStack,
                () -> nowNs);
    }

    private static String target(PlaceResolver resolver, long endMs, long address) {
        PageFaultSpan fault =
                new PageFaultSpan(THREAD, endMs * MS - 1_000, endMs * MS, address, 0x7200, false, true, null, null);
        PageFaultSpan resolved = (PageFaultSpan) resolver.resolve(fault);
        return Optional.ofNullable(resolved.target()).map(MappedPlace::file).orElse("");
    }

    private void map(String lines) throws IOException {
        Files.writeString(process.resolve("maps"), lines);
    }
}
