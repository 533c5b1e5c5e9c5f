package org.naklab.lab.report.live;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.core.timeline.Interval;

/**
 * The latest stalls of what goes on. A stall is shown as soon as it is noticed, and in its place what the instruments report when it is over: they know the thread
 * and the exact times. What they do not report was none. Safe for several threads.
 */
final class LiveStalls {
    private static final int MAX_STALLS = 200;
    /** Instruments report a stall within this time after its end. */
    private static final long REPORTED_NS = TimeUnit.SECONDS.toNanos(3);

    private static final long LASTS = Long.MAX_VALUE;

    private final List<Noted> noted = new ArrayList<>();
    private volatile List<Film.Stalled> all = List.of();
    private volatile List<Film.Stalled> open = List.of();

    /**
     * @param isReported whether an instrument has reported it
     * @param isAccounted whether its account is the final one
     */
    private record Noted(Film.Stalled stall, boolean isReported, boolean isAccounted) {
        Noted(Film.Stalled stall, boolean isReported) {
            this(stall, isReported, false);
        }

        boolean lasts() {
            return stall.endNs() == LASTS;
        }
    }

    /** Returns them by their begin; the same list as before if nothing has changed. */
    List<Film.Stalled> all() {
        return all;
    }

    /** Notes a stall that lasts; returns false if it is known already, perhaps with its end: its begin may be told later than that. */
    synchronized boolean begin(String process, String who, long beginNs) {
        boolean isNoted = noted.stream()
                .anyMatch(each -> each.stall.process().equals(process)
                        && each.stall.thread().equals(who)
                        && each.stall.endNs() > beginNs);
        if (!isNoted) {
            add(new Noted(new Film.Stalled(process, who, beginNs, LASTS, List.of()), false));
        }
        return !isNoted;
    }

    /** Notes that a stall is over that was noted by its begin. */
    synchronized void end(String process, String who, long endNs) {
        List<Noted> lasting = noted.stream()
                .filter(each -> each.lasts()
                        && each.stall.process().equals(process)
                        && each.stall.thread().equals(who)
                        && each.stall.beginNs() < endNs)
                .toList();
        if (noted.removeAll(lasting)) {
            lasting.forEach(each ->
                    add(new Noted(new Film.Stalled(process, who, each.stall.beginNs(), endNs, List.of()), false)));
        }
    }

    /** Takes a stall that an instrument has reported. */
    synchronized void report(String process, String who, Interval interval) {
        noted.removeIf(each -> !each.isReported
                && each.stall.process().equals(process)
                && each.stall.beginNs() < interval.endNs()
                && each.stall.endNs() > interval.beginNs());
        add(new Noted(new Film.Stalled(process, who, interval.beginNs(), interval.endNs(), List.of()), true));
    }

    /** Adds the account of a stall that was reported. */
    synchronized void account(String process, String who, long beginNs, List<Map<String, Object>> parts) {
        noted.replaceAll(each -> each.isReported
                        && each.stall.process().equals(process)
                        && each.stall.thread().equals(who)
                        && each.stall.beginNs() == beginNs
                ? new Noted(new Film.Stalled(process, who, beginNs, each.stall.endNs(), parts), true, true)
                : each);
        publish();
    }

    /** Returns the stalls that last, and those that have ended since a time and have no account yet. */
    synchronized List<Film.Stalled> unaccounted(long endedSinceNs) {
        return noted.stream()
                .filter(each -> !each.isAccounted && each.stall.endNs() >= endedSinceNs)
                .map(Noted::stall)
                .toList();
    }

    /** Takes what is known by now of the parts of a stall; what is known of one that lasts is no change of the list. */
    synchronized void soFar(Film.Stalled stall, List<Map<String, Object>> parts) {
        boolean hasChanged = false;
        for (int i = 0; i < noted.size(); i++) {
            Noted each = noted.get(i);
            boolean isIt = !each.isAccounted
                    && each.stall.process().equals(stall.process())
                    && each.stall.thread().equals(stall.thread())
                    && each.stall.beginNs() == stall.beginNs();
            if (isIt && !each.stall.parts().equals(parts)) {
                noted.set(
                        i,
                        new Noted(
                                new Film.Stalled(
                                        stall.process(), stall.thread(), stall.beginNs(), each.stall.endNs(), parts),
                                each.isReported));
                hasChanged |= !each.lasts();
            }
        }
        open = noted.stream().filter(Noted::lasts).map(Noted::stall).toList();
        if (hasChanged) {
            publish();
        }
    }

    /** Returns the stalls that last, with what is known of them by now. */
    List<Film.Stalled> open() {
        return open;
    }

    /** Forgets those of a process that no instrument has reported; returns them. */
    synchronized List<Film.Stalled> forget(String process, long nowNs) {
        List<Noted> forgotten = noted.stream()
                .filter(each -> !each.isReported
                        && !each.lasts()
                        && each.stall.process().equals(process)
                        && nowNs - each.stall.endNs() > REPORTED_NS)
                .toList();
        if (noted.removeAll(forgotten)) {
            publish();
        }
        return forgotten.stream().map(Noted::stall).toList();
    }

    /** Ends those of a process that last: it has ended, or is not watched any more. */
    synchronized void end(String process, long endNs) {
        List<Noted> lasting = noted.stream()
                .filter(each -> each.lasts() && each.stall.process().equals(process))
                .toList();
        lasting.forEach(each -> end(process, each.stall.thread(), endNs));
    }

    private void add(Noted one) {
        noted.add(one);
        noted.sort(Comparator.comparingLong(each -> each.stall.beginNs()));
        if (noted.size() > MAX_STALLS) {
            noted.remove(0);
        }
        publish();
    }

    private void publish() {
        all = noted.stream().map(Noted::stall).toList();
        open = noted.stream().filter(Noted::lasts).map(Noted::stall).toList();
    }
}
