package org.naklab.messaging.lbtrm;

import io.aeron.driver.FeedbackDelayGenerator;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * LBT-RM's NAK back-off: uniform from half to one and a half of {@code transport_lbtrm_nak_initial_backoff_interval} (50 ms)
 * at first, of {@code transport_lbtrm_nak_backoff_interval} (200 ms) for each repetition. Not thread-safe.
 */
public final class UniformNakBackOff implements FeedbackDelayGenerator {
    static final long INITIAL_NS = TimeUnit.MILLISECONDS.toNanos(50);
    static final long REPEATED_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final SplittableRandom random;

    public UniformNakBackOff(long seed) {
        random = new SplittableRandom(seed);
    }

    @Override
    public long generateDelayNs() {
        return halfToOneAndAHalf(INITIAL_NS);
    }

    @Override
    public long retryDelayNs() {
        return halfToOneAndAHalf(REPEATED_NS);
    }

    private long halfToOneAndAHalf(long intervalNs) {
        return intervalNs / 2 + random.nextLong(intervalNs + 1);
    }
}
