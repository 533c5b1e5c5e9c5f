package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.naklab.testing.Await;
import org.naklab.testing.host.FreePorts;
import org.naklab.testing.host.Installed;

/** A record of each kind arrives from this machine's kernel. What the records say is judged on recorded streams, and live in the matrix. */
@Timeout(120)
class KernelSmokeTest {
    private static final int PORT = FreePorts.pair();

    @TempDir
    private static Path directory;

    private static Path program;

    private final RecordLog log = new RecordLog();

    @BeforeAll
    static void prepare() throws Exception {
        assumeThat(KernelRecorder.whyNot(RecorderSource.BPF)).isEmpty();
        Installed.assume("cc");
        program = Victim.compile(directory);
    }

    static List<Arguments> kinds() {
        return List.of(
                Arguments.of("lock", List.of(Absence.class, ProcessLife.class)),
                Arguments.of("busy", List.of(KernelRecord.Sample.class, KernelRecord.Interrupt.class)),
                Arguments.of("short", List.of(KernelRecord.ShortWaits.class)),
                Arguments.of("uffd", List.of(PageFaultSpan.class)),
                Arguments.of(
                        "udp",
                        List.of(
                                DatagramRecord.Drops.class,
                                DatagramRecord.Arrivals.class,
                                KernelRecord.Receipts.class)));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldReceiveRecordsOfThisKernel(String way, List<Class<? extends KernelRecord>> kinds) throws Exception {
        RecorderSettings settings = RecorderSettings.DEFAULT
                .ofPort(PORT)
                .withInterrupts(1_000)
                .withSamples(new RecorderSettings.Sampling(1_000_000, false));
        try (Victim victim = Victim.start(program, way, Integer.toString(PORT));
                KernelRecorder recorder =
                        KernelRecorder.start(RecorderSource.BPF, List.of(victim.pid()), settings, log)) {
            victim.go();
            kinds.forEach(kind ->
                    Await.until(kind.getSimpleName(), () -> !log.of(kind).isEmpty()));
            assertThat(recorder.missing()).isEmpty();
        }
    }
}
