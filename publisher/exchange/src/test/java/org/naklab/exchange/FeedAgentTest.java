package org.naklab.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.exchange.flow.OrderFlow;
import org.naklab.exchange.flow.OrderFlowException;
import org.naklab.exchange.pacing.Pacer;
import org.naklab.exchange.pacing.Schedule;
import org.naklab.exchange.pacing.TokenBucket;
import org.naklab.messaging.publication.RateLimit;
import org.naklab.messaging.publication.SendResult;

@Timeout(60)
class FeedAgentTest {
    private static final long FEED_ID = 0x1234_5678_9abc_def0L;

    private static final long MILLI_NS = 1_000_000;
    private static final FeedLimits UNBOUNDED =
            new FeedLimits(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, 4, 100 * MILLI_NS);

    private final FakePublication publication = new FakePublication();
    private long nowNs = -5; // a clock may start anywhere

    @Test
    void shouldSendNothingBeforeItIsStarted() {
        FeedAgent agent = agent(new ListFlow(2, false), Pacer.asFastAsPossible(), UNBOUNDED, null);
        nowNs += TimeUnit.SECONDS.toNanos(9);
        cycles(agent, 5);
        assertThat(publication.offers).isZero();

        agent.start();
        cycles(agent, 9);
        assertThat(publication.taken).containsExactly("#1 ADD", "#2 ADD", "trailer 2 " + publication.digest.value());
        assertThat(agent.isDone()).isTrue();
    }

    @Test
    void shouldOfferAgainWhatWasRefused() {
        FeedSender sender = new FeedSender(publication, null, FEED_ID);
        FeedAgent agent = agent(new ListFlow(3, false), Pacer.asFastAsPossible(), UNBOUNDED, sender);
        publication.answers.addAll(List.of(
                SendResult.NOT_CONNECTED,
                SendResult.NOT_CONNECTED,
                SendResult.BACK_PRESSURED,
                SendResult.SENT,
                SendResult.QUEUED,
                SendResult.BLOCKED));
        agent.start();
        cycles(agent, 20);

        assertThat(publication.taken).containsExactly("#1 ADD", "#2 ADD");
        assertThat(publication.offers)
                .as("a blocked sender waits for the wake-up")
                .isEqualTo(6);
        publication.wakeUps++;
        publication.answers.add(SendResult.SENT);
        publication.answers.add(SendResult.BACK_PRESSURED); // the trailer, too, is offered again
        cycles(agent, 20);
        assertThat(publication.taken)
                .containsExactly("#1 ADD", "#2 ADD", "#3 ADD", "trailer 3 " + publication.digest.value());
        assertThat(sender.counts()).isEqualTo(new SendCounts(1, 0, 2, 2));
        assertThat(sender.published()).isEqualTo(3);
        assertThat(sender.digest()).isEqualTo(publication.digest.value());
    }

    @Test
    void shouldKeepAConstantRate() {
        FeedAgent agent = agent(new ListFlow(10, false), Pacer.constantRate(1_000), UNBOUNDED, null);
        agent.start();
        cycles(agent, 5);
        assertThat(publication.taken).containsExactly("#1 ADD");
        nowNs += MILLI_NS - 1;
        cycles(agent, 5);
        assertThat(publication.taken).hasSize(1);
        nowNs += 1;
        cycles(agent, 5);
        assertThat(publication.taken).hasSize(2);
        nowNs += 3 * MILLI_NS;
        cycles(agent, 5);
        assertThat(publication.taken).hasSize(5);
    }

    @Test
    void shouldCatchUpWithinItsBoundOnlyAndInSmallPortions() {
        FeedSender sender = new FeedSender(publication, null, FEED_ID);
        Schedule schedule = new Schedule(Pacer.constantRate(1_000), 20 * MILLI_NS);
        FeedAgent agent = new FeedAgent("feed", new ListFlow(500, false), schedule, sender, UNBOUNDED, () -> nowNs);
        agent.start();
        cycles(agent, 3);
        nowNs += 150 * MILLI_NS; // 149 messages overdue
        agent.doWork();
        assertThat(publication.taken).as("one duty cycle").hasSize(1 + 4);
        cycles(agent, 50);
        assertThat(publication.taken).as("20 ms worth").hasSize(1 + 21);
        nowNs += MILLI_NS;
        cycles(agent, 50);
        assertThat(publication.taken).hasSize(1 + 22);

        schedule.publish();
        assertThat(schedule.lateness().slippedNs()).isEqualTo(129 * MILLI_NS);
        assertThat(schedule.lateness().maxNs()).isEqualTo(20 * MILLI_NS);
        assertThat(schedule.lateness().messages()).isEqualTo(23);
    }

    @Test
    void shouldTellWhenEachEventWasDueHoweverLateItIsSent() {
        FeedAgent agent = agent(new ListFlow(500, false), Pacer.constantRate(1_000), UNBOUNDED, null);
        long beginNs = nowNs;
        agent.start();
        cycles(agent, 3);
        nowNs += 15 * MILLI_NS;
        long sentNs = nowNs;
        cycles(agent, 50);

        assertThat(publication.dueNs).hasSize(16);
        for (int i = 0; i < 16; i++) {
            assertThat(publication.dueNs.get(i)).isEqualTo(beginNs + i * MILLI_NS);
            assertThat(publication.sentNs.get(i)).isEqualTo(i == 0 ? beginNs : sentNs);
        }
    }

    @Test
    void shouldKeepTheDueTimesOfWhatWasOverdueWhenTheScheduleMoved() {
        FeedAgent agent = agent(new ListFlow(500, false), Pacer.constantRate(1_000), UNBOUNDED, null);
        long beginNs = nowNs;
        agent.start();
        cycles(agent, 3);
        nowNs += 150 * MILLI_NS; // 130 ms more than it catches up: the schedule moves by 129 ms
        long movedNs = nowNs;
        for (int i = 0; i < 300; i++) {
            cycles(agent, 50);
            nowNs += MILLI_NS;
        }

        List<Long> latenessNs = new ArrayList<>();
        for (int i = 0; i < publication.dueNs.size(); i++) {
            latenessNs.add(publication.sentNs.get(i) - publication.dueNs.get(i));
            assertThat(publication.dueNs.get(i))
                    .isEqualTo(beginNs + i * MILLI_NS + (i * MILLI_NS > movedNs - beginNs ? 129 * MILLI_NS : 0));
        }
        assertThat(publication.dueNs).isSorted();
        assertThat(latenessNs.get(1)).as("all of the delay").isEqualTo(149 * MILLI_NS);
        assertThat(latenessNs.subList(151, latenessNs.size())).containsOnly(0L);
    }

    @Test
    void shouldTakeAnEventWithoutScheduleForDueWhenItIsTakenInHand() {
        FeedAgent agent = agent(new ListFlow(2, false), Pacer.asFastAsPossible(), UNBOUNDED, null);
        publication.answers.add(SendResult.BACK_PRESSURED);
        long beginNs = nowNs;
        agent.start();
        agent.doWork();
        agent.doWork();
        nowNs += 7 * MILLI_NS;
        cycles(agent, 5);

        assertThat(publication.dueNs).containsExactly(beginNs, nowNs);
        assertThat(publication.sentNs).containsExactly(nowNs, nowNs);
    }

    @Test
    void shouldSendHeartbeatsInSilence() {
        FeedAgent agent = agent(new ListFlow(2, false), Pacer.constantRate(2), UNBOUNDED, null);
        agent.start();
        for (int i = 0; i < 500; i++) {
            cycles(agent, 2);
            nowNs += MILLI_NS;
        }
        cycles(agent, 5);

        assertThat(publication.taken)
                .containsExactly(
                        "#1 ADD",
                        "heartbeat 1",
                        "heartbeat 1",
                        "heartbeat 1",
                        "heartbeat 1",
                        "#2 ADD",
                        "trailer 2 " + publication.digest.value());
    }

    @Test
    void shouldEndAfterTheScheduledDuration() {
        FeedLimits limits = new FeedLimits(Long.MAX_VALUE, 50 * MILLI_NS, 1_050 * MILLI_NS, 4, 100 * MILLI_NS);
        FeedAgent agent = agent(new ListFlow(500, false), Pacer.constantRate(1_000), limits, null);
        agent.start();
        for (int i = 0; i < 100; i++) {
            cycles(agent, 3);
            nowNs += 7 * MILLI_NS; // late for each, and yet the count is rate times duration
        }

        assertThat(publication.taken).hasSize(51).last().asString().startsWith("trailer 50 ");
    }

    @Test
    void shouldEndSoonAfterTheDurationWhenTheRateLimitHoldsItBack() {
        FeedLimits limits = new FeedLimits(Long.MAX_VALUE, 50 * MILLI_NS, 1_050 * MILLI_NS, 4, 100 * MILLI_NS);
        FeedAgent agent = agent(new ListFlow(500, false), Pacer.constantRate(1_000), limits, null);
        publication.answers.addAll(List.of(SendResult.SENT, SendResult.SENT, SendResult.BLOCKED));
        agent.start();
        for (int i = 0; i < 1_060; i++) {
            cycles(agent, 3);
            nowNs += MILLI_NS;
        }
        publication.wakeUps++;
        cycles(agent, 3);

        assertThat(publication.taken).hasSize(3).last().asString().startsWith("trailer 2 ");
        assertThat(agent.isDone()).isTrue();
    }

    @Test
    void shouldEndByTheClockWhenThereIsNoSchedule() {
        FeedLimits limits = new FeedLimits(Long.MAX_VALUE, 50 * MILLI_NS, 1_050 * MILLI_NS, 4, 100 * MILLI_NS);
        FeedAgent agent = agent(new ListFlow(500, false), Pacer.asFastAsPossible(), limits, null);
        agent.start();
        cycles(agent, 3);
        assertThat(agent.isDone()).isFalse();
        nowNs += 50 * MILLI_NS;
        cycles(agent, 3);

        assertThat(agent.isDone()).isTrue();
    }

    @Test
    void shouldStopAtTheGivenNumberOfEvents() {
        FeedLimits limits = new FeedLimits(7, Long.MAX_VALUE, Long.MAX_VALUE, 4, 100 * MILLI_NS);
        FeedAgent agent = agent(new ListFlow(500, false), Pacer.asFastAsPossible(), limits, null);
        agent.start();
        cycles(agent, 9);

        assertThat(publication.taken).hasSize(8).last().asString().startsWith("trailer 7 ");
    }

    @Test
    void shouldStopWhenAskedAndSayWhatWasSent() {
        FeedAgent agent = agent(new ListFlow(500, false), Pacer.constantRate(1_000), UNBOUNDED, null);
        agent.start();
        cycles(agent, 3);
        agent.stop();
        cycles(agent, 3);

        assertThat(publication.taken).containsExactly("#1 ADD", "trailer 1 " + publication.digest.value());
    }

    @Test
    void shouldReportBadInputAndStillSendTheTrailer() {
        FeedAgent agent = agent(new ListFlow(2, true), Pacer.asFastAsPossible(), UNBOUNDED, null);
        agent.start();
        cycles(agent, 5);

        assertThat(publication.taken).hasSize(3).last().asString().startsWith("trailer 2 ");
        assertThat(agent.failure()).isInstanceOf(OrderFlowException.class).hasMessage("flow.csv row 3: bad");
        assertThat(agent.isDone()).isTrue();
    }

    @Test
    void shouldPaceBytesItself() {
        // 96 bytes on the wire each: 768,000 bit/s are 1,000 messages a second.
        RateLimit limit = new RateLimit(768_000, RateLimit.INCIDENT_INTERVAL_NS);
        FeedSender sender = new FeedSender(publication, new TokenBucket(limit, nowNs), FEED_ID);
        FeedAgent agent = agent(new ListFlow(100_000, false), Pacer.asFastAsPossible(), UNBOUNDED, sender);
        agent.start();
        for (int i = 0; i < 10_000; i++) {
            cycles(agent, 2);
            nowNs += MILLI_NS / 10;
        }

        assertThat(sender.published()).isBetween(999L, 1_003L);
        assertThat(sender.counts().heldBack()).isPositive();
        assertThat(sender.counts().blocked()).isZero();
    }

    private FeedAgent agent(OrderFlow flow, Pacer pacer, FeedLimits limits, @Nullable FeedSender sender) {
        return new FeedAgent(
                "feed",
                flow,
                new Schedule(pacer, 20 * MILLI_NS),
                sender == null ? new FeedSender(publication, null, FEED_ID) : sender,
                limits,
                () -> nowNs);
    }

    private static void cycles(FeedAgent agent, int count) {
        for (int i = 0; i < count; i++) {
            agent.doWork();
        }
    }
}
