package org.naklab.lab.tools.tune.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.tools.tune.workload.Figure;

/** Tells what the kernel counts of huge pages and of the compaction of memory, on the whole machine, while a run goes on. */
public final class VirtualMemoryCounts {
    private static final Path FILE = Path.of("/proc/vmstat");

    /** The figures by the kernel's names. */
    private static final Map<String, String> NAMES = new LinkedHashMap<>();

    static {
        NAMES.put("compact_stall", "waits for compaction");
        NAMES.put("thp_fault_alloc", "huge pages at a fault");
        NAMES.put("thp_fault_fallback", "huge pages refused");
    }

    private final Map<String, Long> begin;

    private VirtualMemoryCounts(Map<String, Long> begin) {
        this.begin = begin;
    }

    /** Begins to count. */
    public static VirtualMemoryCounts begin() throws IOException {
        return new VirtualMemoryCounts(parse(Files.readAllLines(FILE)));
    }

    /** Returns what was counted since the beginning. */
    public List<Figure> figures() throws IOException {
        return figures(Files.readAllLines(FILE));
    }

    /** Returns the differences to a later text of the file; what the kernel does not count is left out. */
    public static List<Figure> difference(List<String> before, List<String> after) {
        return new VirtualMemoryCounts(parse(before)).figures(after);
    }

    private List<Figure> figures(List<String> lines) {
        Map<String, Long> end = parse(lines);
        List<Figure> figures = new ArrayList<>();
        NAMES.forEach((kernel, name) -> {
            Long was = begin.get(kernel);
            Long is = end.get(kernel);
            if (was != null && is != null) {
                figures.add(new Figure(name, is - was));
            }
        });
        return figures;
    }

    private static Map<String, Long> parse(List<String> lines) {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (String line : lines) {
            String[] words = line.split(" ", -1);
            if (words.length == 2 && NAMES.containsKey(words[0])) {
                counts.put(words[0], Long.parseLong(words[1]));
            }
        }
        return counts;
    }
}
