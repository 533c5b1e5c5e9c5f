package org.naklab.lab.watch.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.naklab.lab.core.Format;
import org.naklab.lab.records.Stall;

/** Says of a media driver and its clients who stood still: the driver's receiver or a client's poll. */
final class UnitSummary {
    private final String directory;
    private final Map<String, List<Stall>> byPart = new LinkedHashMap<>();

    /** @param directory of the driver */
    UnitSummary(String directory) {
        this.directory = directory;
    }

    /**
     * Adds what was found of a process.
     *
     * @param unpolled which of the stalls are those of subscriptions that were not polled; the others are of sockets that were not read
     */
    void add(WatchTarget target, List<Stall> stalls, Predicate<Stall> unpolled) {
        for (Stall stall : stalls) {
            String part = unpolled.test(stall)
                    ? "the poll of client " + target.pid()
                    : (target.isClient() ? "a reader of client " + target.pid() : driverPart(stall));
            byPart.computeIfAbsent(part, each -> new ArrayList<>()).add(stall);
        }
    }

    private static String driverPart(Stall stall) {
        return stall.thread().endsWith("sender") ? "the driver's sender" : "the driver's receiver";
    }

    /** Returns the lines. */
    List<String> lines() {
        List<String> lines = new ArrayList<>(List.of("media driver in " + directory + " and its clients:"));
        byPart.forEach((part, stalls) -> lines.add("  " + sentence(part, stalls)));
        if (byPart.isEmpty()) {
            lines.add("  neither the driver's receiver nor the poll of a client stood still");
        }
        return lines;
    }

    private static String sentence(String part, List<Stall> stalls) {
        Stall longest = stalls.get(0);
        for (Stall stall : stalls) {
            longest = stall.durationMs() > longest.durationMs() ? stall : longest;
        }
        String length = Format.milliseconds(longest.durationMs());
        return part + " stood still "
                + (stalls.size() == 1 ? "once, for " + length : stalls.size() + " times, for " + length + " at most")
                + ": " + longest.cause();
    }
}
