package org.naklab.lab.instruments.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.testing.Await;
import org.naklab.testing.host.FreePorts;

/** A driver in this process, and clients in this process and another. */
@Timeout(120)
class AeronUnitTest {
    private static final int STREAM_ID = 17;
    private static final long SELF = ProcessHandle.current().pid();

    @TempDir
    Path parent;

    private Path directory;

    @BeforeEach
    void name() {
        directory = parent.resolve("aeron");
    }

    @Test
    void shouldFindTheDriverAndTheProcessOfEachClient() throws Exception {
        try (MediaDriver driver = launch(directory);
                Aeron aeron = connect(driver);
                Publication publication = aeron.addPublication("aeron:ipc", STREAM_ID);
                PollingClient client = PollingClient.start(directory, "aeron:ipc", STREAM_ID);
                AeronUnit unit = AeronUnit.of(directory)) {
            assertThat(publication.isClosed()).isFalse();

            List<UnitMember> members = unit.members();

            assertThat(members)
                    .containsExactly(new UnitMember(unit, SELF, true), new UnitMember(unit, client.pid(), false));
            Await.until("owners", () -> {
                unit.members();
                return unit.processesOf(clientOfSubscription()).size() == 2;
            });
            assertThat(unit.likeliestOf(aeron.clientId())).isEqualTo(SELF);
            assertThat(unit.likeliestOf(clientOfSubscription())).isEqualTo(client.pid());
        }
    }

    @Test
    void shouldNotTakeTheDriverForAClient() throws Exception {
        String channel = "aeron:udp?endpoint=127.0.0.1:" + FreePorts.pair();
        try (MediaDriver driver = launch(directory);
                MediaDriver sender = launch(parent.resolve("sender"));
                Aeron aeron = connect(sender);
                Publication publication = aeron.addPublication(channel, STREAM_ID);
                PollingClient client = PollingClient.start(directory, channel, STREAM_ID);
                AeronUnit unit = AeronUnit.of(directory)) {
            assertThat(driver.aeronDirectoryName()).isEqualTo(directory.toString());
            assertThat(publication.isClosed()).isFalse();
            Await.until("the owner", () -> {
                unit.members();
                return unit.processesOf(clientOfSubscription()).equals(List.of(client.pid()));
            });
        }
    }

    @Test
    void shouldFollowClientsThatComeAndGoAndADriverThatStartsAnew() throws Exception {
        try (AeronUnit unit = AeronUnit.of(directory)) {
            try (MediaDriver driver = launch(directory);
                    Aeron aeron = connect(driver);
                    Publication publication = aeron.addPublication("aeron:ipc", STREAM_ID)) {
                assertThat(unit.members()).hasSize(1);
                try (PollingClient client = PollingClient.start(directory, "aeron:ipc", STREAM_ID)) {
                    assertThat(unit.members()).contains(new UnitMember(unit, client.pid(), false));
                }
                assertThat(unit.members()).containsExactly(new UnitMember(unit, SELF, true));
                assertThat(publication.isClosed()).isFalse();
            }
            long inode = unit.cncInode();
            assertThatThrownBy(unit::members)
                    .isInstanceOf(DetectException.class)
                    .hasMessage("no Aeron driver in " + directory + ": that of process " + SELF + " has ended");
            try (MediaDriver driver = launch(directory)) {
                assertThat(driver.aeronDirectoryName()).isEqualTo(directory.toString());
                assertThat(unit.members()).containsExactly(new UnitMember(unit, SELF, true));
                assertThat(unit.cncInode()).isNotEqualTo(inode);
            }
        }
    }

    @Test
    void shouldSayThatThereIsNoDriver() {
        try (AeronUnit unit = AeronUnit.of(directory)) {
            assertThatThrownBy(unit::members)
                    .isInstanceOf(DetectException.class)
                    .hasMessage("no Aeron driver in " + directory);
        }
    }

    private static MediaDriver launch(Path directory) {
        return MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(directory.toString())
                .threadingMode(ThreadingMode.SHARED)
                .termBufferSparseFile(true)
                .dirDeleteOnStart(true));
    }

    private static Aeron connect(MediaDriver driver) {
        return Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
    }

    private long clientOfSubscription() {
        try (CncFile file = CncFile.map(directory)) {
            return SubscriptionCounters.find(file.counters()).stream()
                    .mapToLong(SubscriptionCounters::clientId)
                    .findFirst()
                    .orElse(0);
        }
    }
}
