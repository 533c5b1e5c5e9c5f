package org.naklab.lab.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.ext.DebugReceiveChannelEndpoint;
import io.aeron.driver.ext.LossGenerator;
import io.aeron.driver.ext.RandomLossGenerator;
import io.aeron.driver.status.SystemCounterDescriptor;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.naklab.testing.Matrix;
import org.naklab.testing.host.FreePorts;

/** Runs tests that use Aeron in their own process, with JUnit's test kit: NAKs of its driver fail them, and nothing else does. */
@Matrix
@Timeout(120)
class WatchAeronScenario {
    @TempDir
    Path directory;

    @WatchReceive(failOn = ReceiveFailure.NAKS)
    static class Sample {
        private static final int STREAM_ID = 23;
        private static final int MESSAGES = 4_000;
        private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(500);
        private static final long SEED = 42;
        private static final LossGenerator NOTHING = (address, buffer, length) -> false;

        @Test
        void losesDatagrams() {
            receiveAll(new RandomLossGenerator(0.05, SEED));
        }

        @Test
        void losesNothing() {
            receiveAll(NOTHING);
        }

        /** Returns when every message was received, however often it was sent. */
        private static void receiveAll(LossGenerator loss) {
            String channel = "aeron:udp?endpoint=127.0.0.1:" + FreePorts.pair();
            MediaDriver.Context context = new MediaDriver.Context()
                    .aeronDirectoryName(CommonContext.generateRandomDirName() + UUID.randomUUID())
                    .threadingMode(ThreadingMode.SHARED)
                    .dirDeleteOnShutdown(true)
                    .receiveChannelEndpointSupplier((udpChannel, dispatcher, indicator, driver) ->
                            new DebugReceiveChannelEndpoint(udpChannel, dispatcher, indicator, driver, loss, NOTHING));
            try (MediaDriver driver = MediaDriver.launch(context);
                    Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
                    Subscription subscription = aeron.addSubscription(channel, STREAM_ID);
                    Publication publication = aeron.addPublication(channel, STREAM_ID)) {
                UnsafeBuffer message = new UnsafeBuffer(new byte[200]);
                int sent = 0;
                int[] received = {0};
                while (received[0] < MESSAGES) {
                    if (sent < MESSAGES && publication.offer(message) > 0) {
                        sent++;
                    }
                    subscription.poll((buffer, offset, length, header) -> received[0]++, 10);
                    LockSupport.parkNanos(PAUSE_NS);
                }
                long naks = driver.context()
                        .systemCounters()
                        .get(SystemCounterDescriptor.NAK_MESSAGES_SENT)
                        .get();
                assertThat(naks > 0)
                        .as("NAKs by the driver's own count: %s", naks)
                        .isEqualTo(loss != NOTHING);
            }
        }
    }

    private EngineExecutionResults run(String method) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(Sample.class, method))
                .configurationParameter(WatchReceiveExtension.DIRECTORY, directory.toString())
                .execute();
    }

    @Test
    void shouldFailOnNaks() {
        TestExecutionResult result = run("losesDatagrams").testEvents().failed().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .findFirst()
                .orElseThrow();

        assertThat(Objects.toString(result.getThrowable().orElseThrow().getMessage()))
                .containsPattern("Sample#losesDatagrams: [\\d,]+ NAKs? sent");
    }

    @Test
    void shouldPassWithoutNaks() {
        run("losesNothing")
                .testEvents()
                .assertStatistics(statistics -> statistics.succeeded(1).failed(0));
    }
}
