package org.naklab.lab.replica.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.logbuffer.ControlledFragmentHandler;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
final class ReferenceDataTest {
    private static final int PAGE_BYTES = 4_096;
    private static final int ENTRIES = 64;
    private static final long EVERY_NS = 1_000;
    private static final long SEED = 5;

    @TempDir
    private Path directory;

    private final CachedNanoClock clock = new CachedNanoClock();
    private final AtomicInteger passed = new AtomicInteger();

    /** Each entry holds its number, so that the sum tells which were read. */
    @Test
    void shouldReadAnEntryOnceAPeriodAndPassEachEventOn() {
        Path file = directory.resolve("table.dat");
        ReferenceTable table = new ReferenceTable(file.toString(), ENTRIES * PAGE_BYTES, EVERY_NS, SEED);
        ReferenceData data = ReferenceData.launch(table, clock);
        assertThat(file).hasSize(ENTRIES * PAGE_BYTES);
        ControlledFragmentHandler handler = data.readBefore((buffer, offset, length, header) -> {
            passed.incrementAndGet();
            return ControlledFragmentHandler.Action.CONTINUE;
        });
        SplittableRandom choice = new SplittableRandom(SEED);
        event(handler, EVERY_NS - 1);
        assertThat(data.checksum()).as("it is not time yet").isZero();
        long first = choice.nextInt(ENTRIES);
        event(handler, EVERY_NS);
        event(handler, EVERY_NS + 1);
        assertThat(data.checksum()).isEqualTo(first);
        long second = choice.nextInt(ENTRIES);
        event(handler, 2 * EVERY_NS);
        assertThat(data.checksum()).isEqualTo(first + second);
        assertThat(passed).hasValue(4);
        data.close();
        assertThat(file).doesNotExist();
    }

    @Test
    void shouldHaveNoTableWhereNoneIsDescribed() {
        assertThat(ReferenceData.launch(null)).isNull();
    }

    private void event(ControlledFragmentHandler handler, long atNs) {
        clock.update(atNs);
        assertThat(handler.onFragment(null, 0, 0, null)).isEqualTo(ControlledFragmentHandler.Action.CONTINUE);
    }
}
