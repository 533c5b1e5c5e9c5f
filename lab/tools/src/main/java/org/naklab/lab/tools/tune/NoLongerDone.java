package org.naklab.lab.tools.tune;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The part of the price of a setting that no run measures: what the machine or the JVM does not do any more, or does to others. */
public final class NoLongerDone {
    /** Sentences by patterns of settings as they are printed. */
    private static final Map<String, String> SENTENCES = new TreeMap<>(
            Map.ofEntries(
                    Map.entry(
                            "-XX:GuaranteedSafepointInterval=(0|\\d{4,})",
                            "The JVM postpones its clean-up (monitors, string and symbol tables, unused code) until something else needs a safepoint."),
                    Map.entry(
                            "-XX:\\+UseLargePages",
                            "The huge pages are not available to other programs, also while the JVM does not use them."),
                    Map.entry(
                            "/proc/sys/vm/nr_hugepages=.*",
                            "The reserved memory is not available to the page cache and to programs that do not ask for huge pages."),
                    Map.entry(
                            "-XX:\\+UseTransparentHugePages",
                            "A page fault may wait until the kernel has compacted memory, and memory is used in units of 2 MiB."),
                    Map.entry(
                            "/sys/kernel/mm/transparent_hugepage/(enabled|defrag)=always",
                            "Every program of the machine gets huge pages, and its page faults wait until the kernel has compacted memory."),
                    Map.entry(
                            "-XX:\\+AlwaysPreTouch",
                            "The start takes longer, and the whole heap is resident from the start."),
                    Map.entry(
                            "/sys/.*/read_ahead_kb=.*",
                            "All readers of the disk are affected: with less, cold reads of files are slower; with more, they evict more of the page cache."),
                    Map.entry(
                            "limit:memlock=.*", "Memory that the process locks cannot be evicted for other programs."),
                    Map.entry("limit:nofile=.*", "Files and connections beyond the limit are refused."),
                    Map.entry(
                            "cpus:quota=.*",
                            "The process stands still for the rest of each period of 100 ms in which it has used its quota."),
                    Map.entry("cpus:set=.*", "The process does not use other processors, also while they are idle."),
                    Map.entry(
                            "/proc/sys/kernel/split_lock_mitigate=0",
                            "The kernel does not slow down the program that locks across cache lines, which slows down all others."),
                    Map.entry(
                            "-Dnaklab\\.tune\\.write=(direct|behind|uncached)",
                            "The file is not in the page cache afterwards: whoever reads it waits for the disk."),
                    Map.entry(
                            "-Dnaklab\\.tune\\.wait=(spin|yield)",
                            "The processor of the waiting thread is not available to other threads."),
                    Map.entry(
                            "-Dnaklab\\.journal\\.random\\.access=false",
                            "The page cache holds pages ahead of the journal's writer, which it could use for files that are read.")));

    private NoLongerDone() {}

    /** Returns a sentence for each setting that is known to have such a price; empty: none is known. */
    public static List<String> of(List<Setting> settings) {
        return settings.stream()
                .map(Setting::toString)
                .flatMap(setting -> SENTENCES.entrySet().stream()
                        .filter(entry -> Pattern.matches(entry.getKey(), setting))
                        .map(Map.Entry::getValue))
                .distinct()
                .toList();
    }
}
