package org.naklab.lab.report.live;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A recorded run that can be played.
 *
 * @param title name of the run
 * @param beginNs CLOCK_MONOTONIC
 * @param endNs CLOCK_MONOTONIC
 * @param epochOffsetNs what to add to a time for nanoseconds since 1970; {@code null}: not known
 * @param strips those that have lines
 * @param scenes what happened, by time
 * @param stalls by begin
 * @param books that customers saw
 * @param verdict what is told when it is asked for: the cause and what speaks for it; empty: there is none to tell
 */
record Film(
        String title,
        long beginNs,
        long endNs,
        @Nullable Long epochOffsetNs,
        List<Strip> strips,
        List<Scene> scenes,
        List<Stalled> stalls,
        BookMoments books,
        Map<String, Object> verdict)
        implements Playable {
    /**
     * Something that happened.
     *
     * @param toldNs when a viewer is told: its end if it has a length, since only then is the length known
     * @param figures names and values of its evidence
     */
    record Scene(long beginNs, long toldNs, String type, String process, String text, Map<String, Object> figures) {
        Scene {
            figures = Map.copyOf(figures);
        }
    }

    /**
     * A time in which a receipt thread received nothing.
     *
     * @param parts of its account: kind, length in ms and detail
     */
    record Stalled(String process, String thread, long beginNs, long endNs, List<Map<String, Object>> parts) {
        Stalled {
            parts = List.copyOf(parts);
        }
    }

    Film {
        strips = List.copyOf(strips);
        scenes = List.copyOf(scenes);
        stalls = List.copyOf(stalls);
        verdict = Map.copyOf(verdict);
    }

    @Override
    public Told told(long from, long nowNs) {
        int due = (int) from;
        while (due < scenes.size() && scenes.get(due).toldNs() <= nowNs) {
            due++;
        }
        return new Told(due, scenes.subList((int) from, due));
    }
}
