package org.naklab.lab.instruments.jvm;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.naklab.lab.core.timeline.DetectException;

/** Asks another JVM for its flags. */
public final class JvmFlags {
    private static final Pattern LINE = Pattern.compile("\\s*\\S+\\s+(\\w+)\\s*:?=\\s*(\\S*).*");

    private JvmFlags() {}

    /**
     * Returns the values of all flags by their names.
     *
     * @throws DetectException the process is no JVM of this user, or does not answer
     */
    public static Map<String, String> of(long pid) {
        return parse(Jcmd.ask(pid, List.of("VM.flags", "-all")));
    }

    static Map<String, String> parse(String answer) {
        Map<String, String> flags = new LinkedHashMap<>();
        answer.lines()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .forEach(line -> flags.put(line.group(1), line.group(2)));
        return flags;
    }
}
