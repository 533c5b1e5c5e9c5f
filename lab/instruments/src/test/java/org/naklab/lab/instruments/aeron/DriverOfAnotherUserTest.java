package org.naklab.lab.instruments.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.aeron.CncFileDescriptor;
import io.aeron.driver.reports.LossReportUtil;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.linux.ForeignFile;
import org.naklab.lab.instruments.sampling.Allocations;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.testing.Await;
import org.naklab.testing.host.FreePorts;

/** Root looks at a driver whose files another user can make shorter at any moment. */
@Timeout(60)
class DriverOfAnotherUserTest {
    private static final int NOBODY = 65_534;
    private static final int SHORT_BYTES = 4_096;

    @TempDir
    private Path parent;

    private final EventLog events = new EventLog();
    private final Map<String, Long> samples = new HashMap<>();
    private Path directory;
    private LossyDriver driver;

    @BeforeEach
    void launch() throws IOException {
        assumeThat(ForeignFile.userOf(ProcessHandle.current().pid()))
                .as("the user")
                .isZero();
        directory = parent.resolve("aeron");
        driver = new LossyDriver(directory, FreePorts.pair());
        for (String file : files()) {
            Files.setAttribute(directory.resolve(file), "unix:uid", NOBODY);
        }
    }

    private static List<String> files() {
        return List.of(CncFileDescriptor.CNC_FILE, LossReportUtil.LOSS_REPORT_FILE_NAME);
    }

    @AfterEach
    void close() {
        driver.close();
    }

    @Test
    void shouldSeeWhatTheDriverCounts() {
        try (AeronInstrument instrument = attach()) {
            driver.publish(50);
            driver.dropFrames(3);
            driver.publish(50);
            Await.until("repaired", () -> {
                driver.step();
                instrument.sample(System.nanoTime(), (series, timeNs, value) -> samples.put(series.toString(), value));
                return driver.received() == 100
                        && !events.of(TimelineEventType.REPAIRED).isEmpty();
            });
            instrument.refresh(System.nanoTime());

            assertThat(samples.get("aeron.mds.naksSent")).isPositive();
            assertThat(instrument.losses()).hasSize(1);
            assertThat(Allocations.bytesOf(3_000, () -> instrument.sample(System.nanoTime(), SampleSink.NONE)))
                    .isZero();
        }
    }

    /** A look at memory whose file became shorter would end this JVM. */
    @Test
    void shouldSayThatTheFilesBecameShorter() throws IOException {
        UnitMember member =
                new UnitMember(AeronUnit.of(directory), ProcessHandle.current().pid(), true);
        try (AeronUnit unit = member.unit();
                AeronInstrument instrument = attach();
                SubscriptionInstrument subscriptions =
                        SubscriptionInstrument.attach("mds", member, events, SystemNanoClock.INSTANCE);
                KernelBypassInstrument channels = KernelBypassInstrument.attach("mds", directory, Set::of, events)) {
            assertThat(unit.members()).isNotEmpty();
            driver.close();
            for (String file : files()) {
                makeShort(directory.resolve(file));
            }
            instrument.sample(System.nanoTime(), SampleSink.NONE);
            subscriptions.sample(System.nanoTime(), SampleSink.NONE);

            assertShorter(() -> instrument.refresh(System.nanoTime()));
            assertShorter(() -> subscriptions.refresh(System.nanoTime()));
            assertShorter(() -> channels.refresh(System.nanoTime()));
            assertShorter(unit::members);
        }
    }

    private AeronInstrument attach() {
        return AeronInstrument.attach("mds", directory, events, SystemNanoClock.INSTANCE);
    }

    private static void makeShort(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(SHORT_BYTES);
        }
    }

    private static void assertShorter(Runnable look) {
        assertThatExceptionOfType(DetectException.class).isThrownBy(look::run).withMessageContaining("became shorter");
    }
}
