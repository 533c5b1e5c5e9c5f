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

    /** @param isReported whether an instrument has reported it */
    private record Noted(Film.Stalled stall, boolean isReported) {
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
                ? new Noted(new Film.Stalled(process, who, beginNs, each.stall.endNs(), parts), true)
                : each);
        publish();
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
    }
}
