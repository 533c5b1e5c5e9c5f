package org.naklab.lab.studies.simulation;

import java.util.ArrayList;
import java.util.List;

/** Signs of a storm: the repair does harm of its own. */
public enum StormSign {
    /** Receivers that kept up lost datagrams: what was sent again filled their sockets. */
    HEALTHY_RECEIVERS_LOSE("the repair made healthy receivers lose"),
    /** There were so many NAKs that the sender's socket dropped some. */
    NAKS_LOST("the sender's socket dropped NAKs"),
    /** During a second, NAKs and repeated datagrams were more than the datagrams of the feed. */
    REPAIR_EXCEEDS_DATA("NAKs and repeated datagrams exceeded the feed for a second");

    private final String meaning;

    StormSign(String meaning) {
        this.meaning = meaning;
    }

    /** Returns what it says, without a verb of its own at the beginning. */
    public String meaning() {
        return meaning;
    }

    static List<StormSign> of(long healthyDrops, long naksDropped, boolean isMoreThanData) {
        List<StormSign> signs = new ArrayList<>();
        if (healthyDrops > 0) {
            signs.add(HEALTHY_RECEIVERS_LOSE);
        }
        if (naksDropped > 0) {
            signs.add(NAKS_LOST);
        }
        if (isMoreThanData) {
            signs.add(REPAIR_EXCEEDS_DATA);
        }
        return List.copyOf(signs);
    }
}
