package org.naklab.lab.report.live;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells what a player shows: a film, or what goes on now. Times are CLOCK_MONOTONIC, ns. Safe for several threads. */
interface Playable {
    /** Tells who decides when the verdict is told. */
    enum Secrecy {
        /** Each viewer. */
        EACH,
        /** The instructor, who has not told it yet. */
        SEALED,
        /** The instructor, who tells it to all. */
        TOLD
    }

    /** Tells what is shown. */
    enum Kind {
        /** The record of a run. */
        FILM,
        /** A run while it goes on. */
        RUN,
        /** Nothing: no run goes on. */
        IDLE,
        /** A process while it is watched. */
        WATCH
    }

    /**
     * Scenes in the order in which they are told.
     *
     * @param next number of the scene after them
     */
    record Told(long next, List<Film.Scene> scenes) {
        public Told {
            scenes = List.copyOf(scenes);
        }
    }

    String title();

    /** Returns what is shown. */
    default Kind kind() {
        return Kind.FILM;
    }

    /** Returns the time from which all times are counted. */
    long beginNs();

    /** Returns the earliest time of which something is kept. */
    default long earliestNs() {
        return beginNs();
    }

    /** Returns the end; of what goes on, the time up to which all samples are known. It never decreases. */
    long endNs();

    /** Returns what to add to a time for nanoseconds since 1970; {@code null}: not known. */
    @Nullable
    Long epochOffsetNs();

    /** Returns the strips that have lines; the same list as before as long as there is no new line. */
    List<Strip> strips();

    /**
     * Returns the scenes that are to be told by a time.
     *
     * @param from number of the first; that of the very first is 0, and those that are not kept are left out
     */
    Told told(long from, long nowNs);

    /** Returns the stalls by their begin; the same list as before as long as nothing of them has changed. */
    List<Film.Stalled> stalls();

    /** Returns the stalls that last, with the parts that are known of them by now; the same list as before as long as nothing more is known. */
    default List<Film.Stalled> openStalls() {
        return List.of();
    }

    /**
     * Returns what is known, while it goes on, of the latest stall that is over, as the verdict is told; the same map as before as long as nothing more is known;
     * empty: there is nothing to tell. Only for those who may know the cause.
     */
    default Map<String, Object> soFar() {
        return Map.of();
    }

    /** Returns the order books that customers see. */
    BookMoments books();

    /** Returns what is told when it is asked for; empty: it is not known yet. */
    Map<String, Object> verdict();

    /** Returns who decides when the verdict is told. */
    default Secrecy secrecy() {
        return Secrecy.EACH;
    }

    /** Returns how it ended, in one sentence; {@code null}: it goes on, or it is a film. */
    default @Nullable String ending() {
        return null;
    }

    /** Returns whether something else is shown in its place now. */
    default boolean isReplaced() {
        return false;
    }

    /** Returns how often lines were changed at times that had been shown already. */
    default long changes() {
        return 0;
    }

    /**
     * Returns the earliest time of these changes.
     *
     * @param seen how many of them are of no interest
     * @return {@link Long#MAX_VALUE}: there were no others
     */
    default long changedNs(long seen) {
        return Long.MAX_VALUE;
    }
}
