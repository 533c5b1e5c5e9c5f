package org.naklab.lab.core.series;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Tells what a series of samples was read from: the first word of its name. */
public enum SeriesSource {
    SOCKET(true),
    THREAD(true),
    AERON(true),
    HEARTBEAT(true),
    RATE(true),
    GAUGE(true),
    CGROUP(true),
    MEMORY(false),
    TIMER(false),
    SAMPLER(false),
    /** A name that this version does not write; all of it is the quantity. */
    OTHER(false);

    private static final Map<String, SeriesSource> BY_WORD =
            Arrays.stream(values()).collect(Collectors.toMap(SeriesSource::word, Function.identity()));

    private final boolean isOfProcess;

    SeriesSource(boolean isOfProcess) {
        this.isOfProcess = isOfProcess;
    }

    /** Returns true if such a series is of one process, false if it is of the machine. */
    public boolean isOfProcess() {
        return isOfProcess;
    }

    /** Returns the word that begins the names. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Finds the source with a word. */
    static SeriesSource of(String word) {
        return BY_WORD.getOrDefault(word, OTHER);
    }
}
