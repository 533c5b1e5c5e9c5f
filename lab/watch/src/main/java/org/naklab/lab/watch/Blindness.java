package org.naklab.lab.watch;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.Interval;

/** Keeps the times in which instruments of a watch saw nothing: one that sees again has not seen what happened meanwhile. One thread. */
public final class Blindness {
    /** Of a watch that lasts for days; of the others, only their number and the time in which they were is kept. */
    private static final int MAX_GAPS = 20;

    private final LongFunction<String> clock;
    /** The instruments that see nothing now, each with the time until which it saw all. */
    private final Map<String, Long> open = new LinkedHashMap<>();

    private final List<Gap> gaps = new ArrayList<>();
    private long more;
    private @Nullable Interval timeOfMore;

    /** A time in which an instrument saw nothing. */
    private record Gap(String what, Interval time) {}

    /** @param clock shows a time of CLOCK_MONOTONIC, ns */
    public Blindness(LongFunction<String> clock) {
        this.clock = clock;
    }

    /**
     * Takes what is blind now; returns what has become blind since the last call, and what sees again, each one line.
     *
     * @param behind the instruments that see nothing, each with the time until which it saw all
     * @param nowNs CLOCK_MONOTONIC, ns
     */
    public List<String> take(Map<String, Long> behind, long nowNs) {
        List<String> news = new ArrayList<>();
        behind.forEach((what, sinceNs) -> {
            if (open.putIfAbsent(what, sinceNs) == null) {
                news.add("not seen now: " + what + " has seen nothing for "
                        + Format.milliseconds((nowNs - sinceNs) / Units.NS_PER_MS));
            }
        });
        for (Iterator<Map.Entry<String, Long>> all = open.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<String, Long> blind = all.next();
            if (!behind.containsKey(blind.getKey())) {
                keep(blind.getKey(), new Interval(blind.getValue(), nowNs));
                news.add(blind.getKey() + " sees again");
                all.remove();
            }
        }
        return news;
    }

    private void keep(String what, Interval time) {
        if (gaps.size() < MAX_GAPS) {
            gaps.add(new Gap(what, time));
            return;
        }
        Interval before = timeOfMore;
        timeOfMore = before == null
                ? time
                : new Interval(Math.min(before.beginNs(), time.beginNs()), Math.max(before.endNs(), time.endNs()));
        more++;
    }

    /**
     * Ends the watch: what is still blind was so until then. An instrument that sees nothing because the process has ended is not blind.
     *
     * @param leastNs the shortest time without sight that is told, ns
     * @param endNs of the watch, or of the process, CLOCK_MONOTONIC, ns
     */
    public void end(long leastNs, long endNs) {
        open.values().removeIf(sinceNs -> endNs - sinceNs <= leastNs);
    }

    /**
     * Returns what was not seen in a time, each one line; empty if all was.
     *
     * @param time on CLOCK_MONOTONIC
     */
    public List<String> lines(Interval time) {
        List<String> lines = new ArrayList<>();
        gaps.stream()
                .filter(gap -> gap.time().overlaps(time))
                .map(gap -> gap.what() + " saw nothing from " + words(gap.time()))
                .forEach(lines::add);
        Interval others = timeOfMore;
        if (others != null && others.overlaps(time)) {
            lines.add("instruments saw nothing " + Format.counted(more, "more time") + ", from " + words(others));
        }
        open.forEach((what, sinceNs) -> {
            if (time.endNs() - sinceNs > 0) {
                lines.add(what + " has seen nothing since " + clock.apply(sinceNs));
            }
        });
        return lines;
    }

    private String words(Interval time) {
        return clock.apply(time.beginNs()) + " to " + clock.apply(time.endNs());
    }
}
