package org.naklab.faults.datagram;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultException;
import org.naklab.faults.Limits;

/**
 * Tells which datagrams a fault strikes: first by what they are, then by chance or by number.
 *
 * @param direction as this process sees it; inbound if left out
 * @param traffic what they carry; data if left out
 * @param streamId of one stream only; any if left out
 * @param probability of each to be struck, from 0 to 1; data that is sent again counts anew
 * @param gaps exactly these are struck. Numbers count each piece of data once: what is sent again passes
 * @param max struck at most; 1,000,000 if left out
 * @param times of gaps: how often each piece of data is struck, so that 2 strikes what is sent again as well; once if left out
 */
public record Selection(
        Direction direction,
        Set<Traffic> traffic,
        @Nullable Integer streamId,
        @Nullable Double probability,
        List<Gap> gaps,
        int max,
        int times) {
    static final int MAX_STRUCK = 1_000_000;
    static final int MAX_GAPS = 4_096;
    static final int MAX_TIMES = 16;

    public Selection(
            @Nullable Direction direction,
            @Nullable Set<Traffic> traffic,
            @Nullable Integer streamId,
            @Nullable Double probability,
            @Nullable List<Gap> gaps,
            int max,
            int times) {
        this.direction = direction == null ? Direction.INBOUND : direction;
        this.traffic = traffic == null || traffic.isEmpty() ? Set.of(Traffic.DATA) : Set.copyOf(traffic);
        this.streamId = streamId;
        this.probability = probability == null ? null : Limits.probability("probability", probability);
        this.gaps = gaps == null ? List.of() : List.copyOf(gaps);
        this.max = max == 0 ? MAX_STRUCK : Limits.within("max", max, 1, MAX_STRUCK);
        this.times = times == 0 ? 1 : Limits.within("times", times, 1, MAX_TIMES);
        Limits.within("gaps", this.gaps.size(), 0, MAX_GAPS);
        if ((this.probability == null) == this.gaps.isEmpty()) {
            throw new FaultException("select needs either probability or gaps");
        }
        if (this.times > 1 && this.gaps.isEmpty()) {
            throw new FaultException("select.times needs gaps");
        }
    }

    /** Each piece of data once. */
    public Selection(
            @Nullable Direction direction,
            @Nullable Set<Traffic> traffic,
            @Nullable Integer streamId,
            @Nullable Double probability,
            @Nullable List<Gap> gaps,
            int max) {
        this(direction, traffic, streamId, probability, gaps, max, 1);
    }

    /** Returns the same, with each piece of data struck that often. */
    public Selection struckTimes(int newTimes) {
        return new Selection(direction, traffic, streamId, probability, gaps, max, newTimes);
    }

    /** Each datagram of that sort with that probability. */
    public static Selection random(Direction direction, Traffic traffic, double probability) {
        return new Selection(direction, Set.of(traffic), null, probability, null, 0);
    }

    /** Exactly these data datagrams. */
    public static Selection exact(Direction direction, Gap... gaps) {
        return new Selection(direction, null, null, null, List.of(gaps), 0);
    }
}
