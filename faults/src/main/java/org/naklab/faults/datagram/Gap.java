package org.naklab.faults.datagram;

import org.naklab.faults.Limits;

/**
 * Consecutive datagrams, counted from 1 since the fault was armed.
 *
 * @param first number of the first one
 * @param count how many; 1 if left out, at most 65,536
 */
public record Gap(long first, int count) {
    public Gap {
        Limits.within("gaps: first", first, 1, Long.MAX_VALUE - 65_536);
        count = count == 0 ? 1 : Limits.within("gaps: count", count, 1, 65_536);
    }

    boolean contains(long number) {
        return number >= first && number < first + count;
    }
}
