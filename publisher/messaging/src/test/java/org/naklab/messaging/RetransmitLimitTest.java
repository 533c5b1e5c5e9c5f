package org.naklab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.messaging.lbtrm.RetransmitLimiter;
import org.naklab.messaging.publication.DatagramSink;
import org.naklab.testing.Await;
import org.naklab.testing.host.FreePorts;

class RetransmitLimitTest {
    private static final long BITS_PER_SECOND = 5_000_000;
    private static final long BYTES_PER_SECOND = BITS_PER_SECOND / 8;
    private static final int MESSAGES = 2_000;
    private static final int LOST = 1_500;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    @Property(tries = 300)
    void shouldGrantNoMoreThanBurstAndRate(
            @ForAll @Size(max = 200) List<@LongRange(max = 100_000_000) Long> gapsNs,
            @ForAll @IntRange(min = 1, max = 100) int nakedDatagrams) {
        RetransmitLimiter limiter = new RetransmitLimiter(BITS_PER_SECOND, 0, TransportProfile.MTU_BYTES);
        long nowNs = 0;
        long retransmittedBytes = 0;
        for (long gapNs : gapsNs) {
            nowNs += gapNs;
            long granted = limiter.availableBytes(nowNs, retransmittedBytes);
            retransmittedBytes += Math.min(granted, nakedDatagrams * 1408L);

            long burstBytes = BYTES_PER_SECOND * RetransmitLimiter.BURST_NS / SECOND_NS;
            assertThat(retransmittedBytes).isLessThanOrEqualTo(burstBytes + BYTES_PER_SECOND * nowNs / SECOND_NS);
        }
    }

    @Property(tries = 50)
    void shouldUseTheWholeRateHoweverOftenItIsAsked(@ForAll @LongRange(min = 1, max = 10_000_000) long askEveryNs) {
        RetransmitLimiter limiter = new RetransmitLimiter(BITS_PER_SECOND, 0, TransportProfile.MTU_BYTES);
        long retransmittedBytes = limiter.availableBytes(0, 0);
        long asks = Math.min(20_000, 10 * SECOND_NS / askEveryNs);
        for (long i = 1; i <= asks; i++) {
            retransmittedBytes += limiter.availableBytes(i * askEveryNs, retransmittedBytes);
        }
        assertThat(retransmittedBytes)
                .isGreaterThanOrEqualTo(BYTES_PER_SECOND * asks * askEveryNs / SECOND_NS - TransportProfile.MTU_BYTES);
    }

    @Test
    @Timeout(60)
    void shouldAlwaysHaveRoomForADatagramOnce() {
        RetransmitLimiter limiter = new RetransmitLimiter(8, 0, TransportProfile.MTU_BYTES);

        assertThat(limiter.availableBytes(0, 0)).isEqualTo(TransportProfile.MTU_BYTES);
        assertThat(limiter.availableBytes(1, TransportProfile.MTU_BYTES)).isZero();
    }

    /** Three receivers miss the same and ask for all of it; bytes are held against the time that really passed. */
    @Test
    @Timeout(60)
    void shouldLimitAStormOfNaks() {
        Contexts contexts = new Contexts(FreePorts.pair());
        long bitsPerSecond = 500_000;
        int wireBytes = DatagramSink.wireBytes(Sender.MESSAGE_LENGTH);
        long beginNs = System.nanoTime();
        try (Sender sender = new Sender(contexts.named("sender", TransportProfile.LBTRM)
                        .mtuBytes(Topic.ORDER_BOOK_EVENTS, wireBytes)
                        .retransmitBitsPerSecond(bitsPerSecond));
                Receiver first = lossy(contexts, "first");
                Receiver second = lossy(contexts, "second");
                Receiver third = lossy(contexts, "third")) {
            sender.awaitReceivers(first, second, third);
            sender.send(MESSAGES);
            Await.until(() -> first.count() == MESSAGES && second.count() == MESSAGES && third.count() == MESSAGES);

            TransportStatistics statistics = sender.context.statistics();
            double elapsedSeconds = (System.nanoTime() - beginNs) / (double) SECOND_NS;
            assertThat(statistics.repair().naksReceived()).isGreaterThan(1);
            assertThat(statistics.repair().retransmittedBytes())
                    .isBetween(LOST * (long) wireBytes, (long) (bitsPerSecond / 8.0 * (elapsedSeconds + 0.05)) + 1);
        }
        assertThat(contexts.errors).isEmpty();
    }

    private static Receiver lossy(Contexts contexts, String name) {
        return new Receiver(
                contexts.named(name, TransportProfile.LBTRM).receiveLinks(LossyLinks.burst(100, 100 + LOST)),
                Receiver.NEVER);
    }
}
