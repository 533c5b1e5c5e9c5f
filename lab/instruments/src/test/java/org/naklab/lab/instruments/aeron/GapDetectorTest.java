package org.naklab.lab.instruments.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.instruments.aeron.GapDetector.Signal;

@Timeout(60)
class GapDetectorTest {
    private final GapDetector rule = new GapDetector(0, 1_000);

    @Test
    void shouldFollowAGapFromNakToRepair() {
        assertThat(rule.update(1, 0, 1_000, 1_500)).isEqualTo(Signal.NOTHING);
        assertThat(rule.newNaks(1)).isEqualTo(1);
        assertThat(rule.update(2, 1, 1_000, 2_000)).isEqualTo(Signal.NOTHING);
        assertThat(rule.isOpen()).isTrue();
        assertThat(rule.update(3, 1, 1_400, 3_000)).isEqualTo(Signal.ADVANCED);
        assertThat(rule.update(4, 1, 1_600, 3_000)).isEqualTo(Signal.NOTHING);
        assertThat(rule.update(5, 1, 2_100, 3_000)).isEqualTo(Signal.REPAIRED);
        assertThat(rule.firstNakNs()).isEqualTo(2);
        assertThat(rule.isOpen()).isFalse();
    }

    @Test
    void shouldNotTakeAReceiverThatLagsForOneWithAGap() {
        for (int now = 0; now < 1_000; now++) {
            assertThat(rule.update(now, 0, 1_000 + now, 5_000 + now)).isEqualTo(Signal.NOTHING);
        }
        assertThat(rule.isOpen()).isFalse();
    }

    @Test
    void shouldExtendTheRepairWithEachNak() {
        rule.update(1, 1, 1_000, 2_000);
        rule.update(2, 2, 1_000, 4_000);
        assertThat(rule.update(3, 2, 2_500, 4_000)).isEqualTo(Signal.ADVANCED);
        assertThat(rule.update(4, 2, 4_000, 4_000)).isEqualTo(Signal.REPAIRED);
        assertThat(rule.firstNakNs()).isEqualTo(1);
    }

    @Test
    void shouldGiveUpLongAfterTheLastNak() {
        rule.update(1, 1, 1_000, 2_000);
        assertThat(rule.update(GapDetector.GIVE_UP_NS, 1, 1_000, 9_000)).isEqualTo(Signal.NOTHING);
        assertThat(rule.update(GapDetector.GIVE_UP_NS + 1, 1, 1_000, 9_000)).isEqualTo(Signal.GIVEN_UP);
        assertThat(rule.update(GapDetector.GIVE_UP_NS + 2, 1, 1_000, 9_000)).isEqualTo(Signal.NOTHING);
    }
}
