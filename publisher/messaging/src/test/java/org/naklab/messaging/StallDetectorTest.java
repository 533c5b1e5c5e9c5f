package org.naklab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StallDetectorTest {
    private final List<String> stalls = new ArrayList<>();
    private final StallDetector detector = new StallDetector(100, new ContextListener() {
        @Override
        public void onStall(long beginNs, long endNs) {
            stalls.add(beginNs + ".." + endNs);
        }
    });

    @Test
    void shouldReportLongCyclesAndLongGaps() {
        cycle(1_000, 1_099);
        cycle(1_198, 1_298);
        cycle(1_398, 1_399);

        assertThat(stalls).containsExactly("1198..1298", "1298..1398");
    }

    @Test
    void shouldNotTakeTheTimeBeforeTheFirstCycleForAGap() {
        cycle(1_000_000, 1_000_001);

        assertThat(stalls).isEmpty();
    }

    private void cycle(long beginNs, long endNs) {
        detector.onCycleBegin(beginNs);
        detector.onCycleEnd(endNs);
    }
}
