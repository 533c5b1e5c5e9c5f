package org.naklab.lab.campaign;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Leaves a random half of the faults out of each seed: faults that are always together suppress each other.
 *
 * <p>Source: A. Groce et al., "Swarm Testing", ISSTA 2012.
 */
final class Swarm {
    private Swarm() {}

    /** Returns the faults of a seed in their order; all arms of the seed have the same. */
    static List<String> of(List<String> faults, String scenario, long seed) {
        List<String> shuffled = new ArrayList<>(faults);
        long itsSeed = Mixing.random("swarm", new Cell(scenario, ""), seed).nextLong();
        Collections.shuffle(shuffled, new Random(itsSeed));
        List<String> kept = shuffled.subList(0, (faults.size() + 1) / 2);
        return faults.stream().filter(kept::contains).toList();
    }
}
