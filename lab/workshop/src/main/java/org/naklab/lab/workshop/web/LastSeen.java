package org.naklab.lab.workshop.web;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Tells when trainees asked for a page the last time. A restart forgets it. */
final class LastSeen {
    private static final long NOW_S = 60;

    private final Map<String, Long> byTrainee = new ConcurrentHashMap<>();

    void note(String trainee) {
        byTrainee.put(trainee, System.nanoTime());
    }

    /** Returns it in words. */
    String words(String trainee) {
        Long at = byTrainee.get(trainee);
        if (at == null) {
            return "not yet";
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - at);
        return seconds < NOW_S ? "now" : seconds / NOW_S + " min ago";
    }

    /** Returns how many asked within the last minute. */
    long now() {
        return byTrainee.keySet().stream()
                .filter(trainee -> words(trainee).equals("now"))
                .count();
    }
}
