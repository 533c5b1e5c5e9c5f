package org.naklab.faults.datagram;

import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.agrona.collections.Hashing;
import org.agrona.collections.Long2LongHashMap;

/** Applies a {@link Selection} to one datagram after the other. Not thread-safe. */
final class Selector {
    private static final long UNSEEN = Long.MIN_VALUE;

    private final Selection selection;
    private final SplittableRandom random;
    private final Long2LongHashMap newestByStream = new Long2LongHashMap(UNSEEN);
    /** Further strikes at data of gaps, by its place. */
    private final Long2LongHashMap strikesLeft = new Long2LongHashMap(0);

    private long seen;
    private long considered;
    private long struck;

    Selector(Selection selection, long seed) {
        this.selection = selection;
        random = new SplittableRandom(seed);
    }

    boolean strikes(Datagram datagram) {
        seen++;
        if (struck == selection.max() || !matches(datagram)) {
            return false;
        }
        boolean hit = selection.probability() == null ? isInGap(datagram) : isUnlucky(selection.probability());
        if (hit) {
            struck++;
        }
        return hit;
    }

    private boolean matches(Datagram datagram) {
        return datagram.direction() == selection.direction()
                && selection.traffic().contains(datagram.traffic())
                && (selection.streamId() == null || selection.streamId() == datagram.streamId());
    }

    private boolean isUnlucky(double probability) {
        considered++;
        return random.nextDouble() < probability;
    }

    private boolean isInGap(Datagram datagram) {
        if (datagram.traffic() == Traffic.DATA && !isNew(datagram)) {
            return isStruckAgain(datagram);
        }
        considered++;
        for (Gap gap : selection.gaps()) {
            if (gap.contains(considered)) {
                if (selection.times() > 1) {
                    strikesLeft.put(datagram.place(), selection.times() - 1);
                }
                return true;
            }
        }
        return false;
    }

    private boolean isStruckAgain(Datagram datagram) {
        long left = strikesLeft.get(datagram.place());
        if (left > 1) {
            strikesLeft.put(datagram.place(), left - 1);
        } else {
            strikesLeft.remove(datagram.place());
        }
        return left > 0;
    }

    /** Term ids wrap around, so it is their difference that counts. */
    private boolean isNew(Datagram datagram) {
        long stream = Hashing.compoundKey(datagram.sessionId(), datagram.streamId());
        long newest = newestByStream.get(stream);
        int terms = datagram.termId() - (int) (newest >> Integer.SIZE);
        if (newest == UNSEEN || terms > 0 || (terms == 0 && datagram.termOffset() > (int) newest)) {
            newestByStream.put(stream, (long) datagram.termId() << Integer.SIZE | datagram.termOffset());
            return true;
        }
        return false;
    }

    /** Returns the number of datagrams of all sorts. */
    long seen() {
        return seen;
    }

    /** Returns the sort of datagram in question, such as "INBOUND DATA of stream 7". */
    String describe() {
        String traffic =
                selection.traffic().stream().sorted().map(Traffic::name).collect(Collectors.joining(" or "));
        return selection.direction() + " " + traffic
                + (selection.streamId() == null ? "" : " of stream " + selection.streamId());
    }

    /** Datagrams that chance or number decided on. */
    long considered() {
        return considered;
    }
}
