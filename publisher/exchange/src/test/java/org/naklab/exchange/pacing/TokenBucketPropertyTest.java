package org.naklab.exchange.pacing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.naklab.messaging.publication.RateLimit;

class TokenBucketPropertyTest {
    @Property
    void shouldNeverExceedItsRate(
            @ForAll @LongRange(min = 10_000, max = 100_000_000_000L) long bitsPerSecond,
            @ForAll long beginNs,
            @ForAll @Size(max = 400) List<@IntRange(max = 3_000_000) Integer> gapsNs) {
        TokenBucket bucket = new TokenBucket(new RateLimit(bitsPerSecond, 20_000_000), beginNs);
        double contentBytes = Math.max(256, bitsPerSecond / 8_000.0);
        long elapsedNs = 0;
        long sentBytes = 0;
        for (int gapNs : gapsNs) {
            elapsedNs += gapNs;
            while (bucket.has(96, beginNs + elapsedNs) && sentBytes < 10_000_000) {
                bucket.take(96);
                sentBytes += 96;
            }
            double allowedBytes = contentBytes + bitsPerSecond / 8e9 * elapsedNs;
            assertThat((double) sentBytes).isLessThanOrEqualTo(allowedBytes + 1);
        }
    }
}
