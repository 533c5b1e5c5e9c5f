package org.naklab.lab.cli.bundle;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Tells what a bundle leaves out unless it is asked for: files that may be large, and that cannot be redacted. */
public enum Contents {
    JOURNALS("(?:.*/)?(?:journal|derived)/.*|.*\\.cq4t?"),
    HEAP_DUMPS(".*\\.hprof|(?:.*/)?core(?:\\.\\d+)?"),
    JFR("(?:.*/)?jfr/.*|.*\\.jfr"),
    PCAP(".*\\.pcap(?:ng)?(?:\\.gz)?"),
    PERF("(?:.*/)?[\\w-]*perf\\.data");

    private static final Pattern TEXT =
            Pattern.compile(".*\\.(?:json|jsonl|jsonl\\.gz|csv|csv\\.gz|txt|txt\\.gz|log|md|prom)");

    private final Pattern paths;

    Contents(String paths) {
        this.paths = Pattern.compile(paths);
    }

    /** Returns the word of the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the words of all kinds. */
    public static List<String> labels() {
        return Arrays.stream(values()).map(Contents::label).toList();
    }

    /**
     * Returns the kind that a file belongs to; empty for any other file.
     *
     * @param path relative to the directory, with slashes
     */
    static Optional<Contents> of(String path) {
        return Arrays.stream(values())
                .filter(kind -> kind.paths.matcher(path).matches())
                .findFirst();
    }

    /** Returns whether a file is text that can be redacted, perhaps compressed. */
    static boolean isText(String path) {
        return TEXT.matcher(path).matches();
    }
}
