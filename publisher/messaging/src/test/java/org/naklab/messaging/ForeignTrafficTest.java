package org.naklab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.messaging.feed.FeedId;
import org.naklab.testing.Await;
import org.naklab.testing.host.FreePorts;

/** An outsider sends to the feed's group: the feed stays whole, and what is not of it is counted. */
@Timeout(60)
class ForeignTrafficTest {
    private static final long FEED_ID = 0x0123_4567_89ab_cdefL;
    private static final int PORT = FreePorts.pair();
    private static final TopicChannels CHANNELS = TopicChannels.onLoopback(PORT);
    private static final Topic TOPIC = Topic.ORDER_BOOK_EVENTS;
    private static final int MESSAGES = 200;

    private final Contexts contexts = new Contexts(PORT);
    private final SplittableRandom random = new SplittableRandom(42);
    private final Outsider outsider = new Outsider(CHANNELS, TOPIC);
    private final Sender sender = new Sender(context("sender").feedId(FEED_ID));
    private final Receiver receiver = new Receiver(context("announced").feedId(FEED_ID), Receiver.NEVER);
    /** Knows of no feed beforehand and takes the first. */
    private final Receiver gateway = new Receiver(context("learning"), Receiver.NEVER);

    @BeforeEach
    void beginFeed() {
        sender.awaitReceivers(receiver, gateway);
        sender.send(MESSAGES);
        Await.until(() -> receiver.count() == MESSAGES && gateway.count() == MESSAGES);
    }

    @AfterEach
    void close() {
        receiver.close();
        gateway.close();
        sender.close();
        outsider.close();
    }

    @Test
    void shouldCountNothingInAFeedOfItsOwn() {
        assertWholeFeed(0, 0);
        assertThat(receiver.context.feedId()).isEqualTo(FEED_ID);
        assertThat(gateway.context.feedId()).isEqualTo(FEED_ID);
    }

    @Test
    void shouldCountNoise() {
        for (int i = 0; i < 500; i++) {
            byte[] noise = new byte[random.nextInt(200)];
            random.nextBytes(noise);
            outsider.send(noise);
        }
        assertWholeFeed(0, 500);
    }

    @Test
    void shouldCountEveryMutatedHeader() {
        byte[] genuine = hearOne();
        int mutations = 500;
        for (int i = 0; i < mutations; i++) {
            byte[] mutated = genuine.clone();
            mutated[random.nextInt(32)] ^= (byte) (1 + random.nextInt(255));
            outsider.send(mutated);
        }
        sender.send(MESSAGES);
        awaitMessages(2 * MESSAGES + 1);
        Await.until(() -> refused(receiver) == mutations && refused(gateway) == mutations);
        assertThat(contexts.errors).isEmpty();
    }

    @Test
    void shouldMakeNoImageForForeignSetups() throws IOException {
        for (int i = 0; i < 1_000; i++) {
            outsider.send(Outsider.setup(TOPIC, random.nextInt(), 1 << 30));
            outsider.send(Outsider.setup(TOPIC, random.nextInt(), 1 << 16));
        }
        assertWholeFeed(1_000, 1_000);
        for (Receiver each : List.of(receiver, gateway)) {
            assertThat(imageFiles(each)).isEqualTo(1);
        }
    }

    @Test
    void shouldKeepAnotherFeedOnTheSamePortApart() {
        try (Sender other = new Sender(context("other").feedId(FEED_ID + 1));
                Receiver its = new Receiver(context("its").feedId(FEED_ID + 1), Receiver.NEVER)) {
            other.awaitReceivers(its);
            other.send(100);
            Await.until(() -> its.count() == 100);
            Await.until(() -> foreign(receiver) > 100 / 14 && foreign(gateway) > 100 / 14);
            sender.send(MESSAGES);
            awaitMessages(2 * MESSAGES);
        }
        assertThat(receiver.numbers())
                .isEqualTo(LongStream.range(0, 2 * MESSAGES).boxed().toList());
        assertThat(gateway.numbers()).isEqualTo(receiver.numbers());
    }

    @Test
    void shouldRefuseAFrameAheadInTheSameSession() {
        byte[] genuine = hearOne();
        outsider.send(Outsider.ahead(genuine, 64 * 1024));
        Await.until(() -> foreign(receiver) == 1 && foreign(gateway) == 1);
        sender.send(1_000);
        awaitMessages(MESSAGES + 1 + 1_000);
        assertThat(receiver.context.statistics().repair().naksSent()).isZero();
    }

    @Test
    void shouldRefuseAMessageOfAnotherFeedInTheSameSession() {
        int sessionId = FeedId.sessionId(FEED_ID, TOPIC.streamId());
        outsider.send(Outsider.data(TOPIC, sessionId, FEED_ID + 1));
        assertWholeFeed(1, 0);
    }

    private byte[] hearOne() {
        byte[][] heard = new byte[1][];
        Thread ear = new Thread(() -> heard[0] = outsider.hearData(), "ear");
        ear.start();
        sender.send(1);
        try {
            ear.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        awaitMessages(MESSAGES + 1);
        assertThat(Outsider.feedId(heard[0])).isEqualTo(FEED_ID);
        assertThat(new UnsafeBuffer(heard[0]).getInt(0)).isEqualTo(32 + Sender.MESSAGE_LENGTH);
        return heard[0];
    }

    private void assertWholeFeed(long foreign, long invalid) {
        Await.until(() -> foreign(receiver) == foreign && foreign(gateway) == foreign);
        Await.until(() -> invalid(receiver) == invalid && invalid(gateway) == invalid);
        sender.send(MESSAGES);
        awaitMessages(2 * MESSAGES);
        assertThat(receiver.numbers())
                .isEqualTo(LongStream.range(0, 2 * MESSAGES).boxed().toList());
        assertThat(gateway.numbers()).isEqualTo(receiver.numbers());
        assertThat(contexts.errors).isEmpty();
    }

    private void awaitMessages(int count) {
        Await.until(() -> receiver.count() == count && gateway.count() == count);
    }

    private MessagingContext.Context context(String name) {
        return contexts.named(name, TransportProfile.LBTRM);
    }

    private static long foreign(Receiver receiver) {
        return receiver.context.statistics().foreign().foreignDatagrams();
    }

    private static long invalid(Receiver receiver) {
        return receiver.context.statistics().foreign().invalidDatagrams();
    }

    private static long refused(Receiver receiver) {
        return foreign(receiver) + invalid(receiver);
    }

    private static long imageFiles(Receiver receiver) throws IOException {
        try (Stream<Path> files = Files.list(receiver.images())) {
            return files.count();
        }
    }
}
