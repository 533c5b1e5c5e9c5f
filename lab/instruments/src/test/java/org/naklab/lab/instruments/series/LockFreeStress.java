package org.naklab.lab.instruments.series;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.instruments.sampling.DutyCycleLayout;
import org.naklab.lab.instruments.threads.DutyCycleTracker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** What a reader may see of a writer through memory that both share without a lock. {@link LockFreeStressTest} runs it. */
public final class LockFreeStress {
    private static final long NONE = -1;

    private LockFreeStress() {}

    private static IntervalRing log(int episodes) {
        IntervalRing log = new IntervalRing(new UnsafeBuffer(new byte[IntervalRing.LENGTH]), 0);
        for (int i = 0; i < episodes; i++) {
            log.add(i, i);
        }
        return log;
    }

    private static void readNext(IntervalRingReader cursor, JJ_Result result) {
        boolean found = cursor.next();
        result.r1 = found ? cursor.beginNs() : NONE;
        result.r2 = found ? cursor.endNs() : NONE;
    }

    /** An episode is read whole or not at all. */
    @JCStressTest
    @Outcome(id = "-1, -1", expect = ACCEPTABLE, desc = "not added yet")
    @Outcome(id = "7, 9", expect = ACCEPTABLE, desc = "added")
    @Outcome(expect = FORBIDDEN, desc = "half an episode")
    @State
    public static class NewEpisode {
        private final IntervalRing log = log(0);
        private final IntervalRingReader cursor = new IntervalRingReader(log);

        @Actor
        public void write() {
            log.add(7, 9);
        }

        @Actor
        public void read(JJ_Result result) {
            readNext(cursor, result);
        }
    }

    /** A reader that is a whole log behind gets no episode of which half is another's. */
    @JCStressTest
    @Outcome(
            id = {"1, 1", "2, 2", "3, 3"},
            expect = ACCEPTABLE,
            desc = "the oldest that is not overwritten")
    @Outcome(expect = FORBIDDEN, desc = "two episodes mixed, or a new one for an old one")
    @State
    public static class OverwrittenEpisode {
        private final IntervalRing log = log(IntervalRing.CAPACITY);
        private final IntervalRingReader cursor = new IntervalRingReader(log);

        @Actor
        public void write() {
            log.add(1_000, 1_000);
            log.add(1_001, 1_001);
        }

        @Actor
        public void read(JJ_Result result) {
            readNext(cursor, result);
        }
    }

    /** Who sees a beat sees the gap that it ended, and the callbacks before it. */
    @JCStressTest
    @Outcome(
            id = {"10, 0, 0", "10, 0, 20", "10, 1, 0", "10, 1, 20"},
            expect = ACCEPTABLE,
            desc = "before the beat")
    @Outcome(id = "30, 1, 20", expect = ACCEPTABLE, desc = "after the beat")
    @Outcome(expect = FORBIDDEN, desc = "a beat without what came before it")
    @State
    public static class BeatAfterGap {
        private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[DutyCycleLayout.LENGTH]);
        private final DutyCycleTracker heartbeat = DutyCycleTracker.over(buffer, 5);
        private final IntervalRingReader gaps =
                new IntervalRingReader(new IntervalRing(buffer, DutyCycleLayout.GAPS_OFFSET));

        public BeatAfterGap() {
            heartbeat.beat(10);
        }

        @Actor
        public void beat() {
            heartbeat.callback(12, 13);
            heartbeat.beat(30);
        }

        @Actor
        public void read(JJJ_Result result) {
            result.r1 = buffer.getLongVolatile(DutyCycleLayout.LAST_BEAT_OFFSET);
            result.r2 = buffer.getLong(DutyCycleLayout.CALLBACKS_OFFSET);
            result.r3 = gaps.next() ? gaps.endNs() - gaps.beginNs() : 0;
        }
    }

    /** A ring of two that already holds 1 and 2; times are ten times the values. Remembers what it handed over. */
    private static class FullRing implements SampleConsumer {
        final SampleRing ring = new SampleRing(2);
        private final List<SampleConsumer> consumers = List.of(this);
        private final Series series = new Series(SeriesName.of("stress.value"));
        private long seen;

        FullRing() {
            write(1);
            write(2);
        }

        final void write(long value) {
            ring.record(series, 10 * value, value);
        }

        /** The values handed over so far, a digit each; a 9 for one that came with another's time or series. */
        final long drain() {
            ring.drain(consumers);
            return seen;
        }

        @Override
        public final void onSample(long timeNs, Series of, long value) {
            seen = 10 * seen + (of == series && timeNs == 10 * value ? value : 9);
        }

        @Override
        public final void close() {}
    }

    /** Samples come whole, in order, once; one that finds no room is counted as lost. */
    @JCStressTest
    @Outcome(
            id = {"12, 12, 1", "12, 123, 0", "123, 123, 0"},
            expect = ACCEPTABLE,
            desc = "the third kept or lost")
    @Outcome(expect = FORBIDDEN, desc = "torn, twice, or lost without a word")
    @State
    public static class RingThatIsFull extends FullRing {
        @Actor
        public void write() {
            write(3);
        }

        @Actor
        public void drain(JJJ_Result result) {
            result.r1 = drain();
        }

        @Arbiter
        public void rest(JJJ_Result result) {
            result.r2 = drain();
            result.r3 = ring.lost();
        }
    }

    /** The same where there is room. */
    @JCStressTest
    @Outcome(
            id = {"12, 1234, 0", "123, 1234, 0", "1234, 1234, 0"},
            expect = ACCEPTABLE,
            desc = "all, now or later")
    @Outcome(expect = FORBIDDEN, desc = "torn, twice, or lost")
    @State
    public static class RingWithRoom extends FullRing {
        public RingWithRoom() {
            drainSetUp();
        }

        private void drainSetUp() {
            if (drain() != 12) {
                throw new IllegalStateException("the ring does not hold what was put into it");
            }
        }

        @Actor
        public void write() {
            write(3);
            write(4);
        }

        @Actor
        public void drain(JJJ_Result result) {
            result.r1 = drain();
        }

        @Arbiter
        public void rest(JJJ_Result result) {
            result.r2 = drain();
            result.r3 = ring.lost();
        }
    }
}
