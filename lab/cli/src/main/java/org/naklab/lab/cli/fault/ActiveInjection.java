package org.naklab.lab.cli.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A command {@code naklab inject} that is under way: its fault is armed, or about to be.
 *
 * @param pid of the command
 * @param target as its user wrote it
 * @param fault as its user wrote it
 */
record ActiveInjection(long pid, String target, String fault) {
    private static final String MAIN = "org.naklab.lab.cli.Naklab";

    /** The only option of the program that takes a value of its own and can stand in front of, or among, the words of the command. */
    private static final String COLOUR_OPTION = "--color";

    /** Returns all that can be seen; this user may be unable to signal those of others. */
    static List<ActiveInjection> all() {
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.flatMap(process -> of(process.pid(), InjectionTargets.commandLine(process)).stream())
                    .toList();
        }
    }

    /** Returns what a command line injects; empty if it is no such command. */
    static Optional<ActiveInjection> of(long pid, List<String> words) {
        int main = words.indexOf(MAIN);
        if (main < 0) {
            return Optional.empty();
        }
        List<String> own = withoutOptions(words.subList(main + 1, words.size()));
        return own.size() == 3 && own.get(0).equals("inject")
                ? Optional.of(new ActiveInjection(pid, own.get(1), own.get(2)))
                : Optional.empty();
    }

    private static List<String> withoutOptions(List<String> words) {
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            if (words.get(i).equals(COLOUR_OPTION)) {
                i++;
            } else if (!words.get(i).startsWith("-")) {
                kept.add(words.get(i));
            }
        }
        return kept;
    }
}
