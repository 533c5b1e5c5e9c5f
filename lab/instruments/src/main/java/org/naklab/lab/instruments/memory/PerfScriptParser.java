package org.naklab.lab.instruments.memory;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what {@code perf script -F tid,time,event,ip,sym,dso --ns} prints.
 *
 * <pre>
 *  4711  1234.567890123: major-faults:
 *             7f8a1c012345 _dl_lookup_symbol_x (/usr/lib/x86_64-linux-gnu/ld-2.36.so)
 *             7f8a1c016789 [unknown] (/tmp/perf-4711.map)
 * </pre>
 */
final class PerfScriptParser {
    private static final Pattern SAMPLE = Pattern.compile("^\\s*(\\d+)\\s+(\\d+\\.\\d+):\\s+\\S*major-faults\\S*\\s*$");
    private static final Pattern FRAME = Pattern.compile("^\\s+[0-9a-f]+\\s+(.*)$");
    private static final int NS_DIGITS = 9;

    private PerfScriptParser() {}

    static List<MajorFaultStack> parse(List<String> lines) {
        List<MajorFaultStack> stacks = new ArrayList<>();
        List<String> frames = new ArrayList<>();
        for (String line : lines) {
            Matcher sample = SAMPLE.matcher(line);
            Matcher frame = FRAME.matcher(line);
            if (sample.matches()) {
                frames = new ArrayList<>();
                long timeNs = new BigDecimal(sample.group(2))
                        .movePointRight(NS_DIGITS)
                        .longValue();
                stacks.add(new MajorFaultStack(timeNs, Integer.parseInt(sample.group(1)), frames));
            } else if (frame.matches() && !stacks.isEmpty()) {
                frames.add(frame.group(1).strip());
            }
        }
        return stacks.stream()
                .map(stack -> new MajorFaultStack(stack.timeNs(), stack.tid(), List.copyOf(stack.frames())))
                .toList();
    }
}
