package org.naklab.subscriber.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class SequenceTrackerPropertyTest {
    @Property(tries = 500)
    void shouldCountExactlyWhateverComes(@ForAll @Size(max = 120) List<@LongRange(min = 1, max = 40) Long> sequences) {
        SequenceTracker tracked = new SequenceTracker();
        TreeSet<Long> seen = new TreeSet<>();
        long duplicated = 0;
        long reordered = 0;
        for (long sequence : sequences) {
            boolean isLate = !seen.isEmpty() && sequence < seen.last();
            if (!seen.add(sequence)) {
                duplicated++;
            } else if (isLate) {
                reordered++;
            }
            tracked.onEvent(sequence);
        }
        long highest = seen.isEmpty() ? 0 : seen.last();
        assertThat(tracked.highest()).isEqualTo(highest);
        assertThat(tracked.received()).isEqualTo(seen.size());
        assertThat(tracked.missing()).isEqualTo(highest - seen.size());
        assertThat(tracked.duplicated()).isEqualTo(duplicated);
        assertThat(tracked.reordered()).isEqualTo(reordered);
    }
}
