package org.naklab.lab.core.trace;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An event of the kernel's trace.
 *
 * @param timeNs CLOCK_MONOTONIC, to the microsecond
 * @param tid of the thread that was on the CPU
 * @param comm its name, at most 15 bytes
 * @param event name of the tracepoint
 * @param text its arguments as the kernel prints them
 * @param stack of the kernel after the event, the innermost function first; empty if none was recorded
 */
public record TraceLine(long timeNs, int cpu, int tid, String comm, String event, String text, List<String> stack) {
    private static final Pattern ARGUMENT = Pattern.compile("(\\w+)=");

    public TraceLine {
        stack = List.copyOf(stack);
    }

    TraceLine withStack(List<String> functions) {
        return new TraceLine(timeNs, cpu, tid, comm, event, text, functions);
    }

    /** Returns the value of an argument, up to the next argument; empty if there is none. Names of threads may contain blanks. */
    public String argument(String name) {
        Matcher argument = ARGUMENT.matcher(text);
        int begin = -1;
        while (argument.find()) {
            if (begin >= 0) {
                return text.substring(begin, argument.start())
                        .replace("==>", "")
                        .strip();
            }
            if (argument.group(1).equals(name)) {
                begin = argument.end();
            }
        }
        return begin < 0 ? "" : text.substring(begin).strip();
    }
}
