package org.naklab.lab.cli.ci;

import java.io.PrintStream;
import java.util.stream.Collectors;

/** Prints verdicts as annotations of GitHub Actions, which its pages show beside the job. */
public final class Annotations {
    /** A longer list is in the log, and in the report. */
    private static final int MAX_CONDITIONS = 3;

    private Annotations() {}

    /** Prints one line. */
    public static void print(PrintStream out, RunVerdict run) {
        String level =
                switch (run.kind()) {
                    case PASS -> "notice";
                    case FAIL -> "error";
                    case UNKNOWN -> "warning";
                };
        String unmet = run.conditions().stream()
                .filter(each -> each.kind() == run.kind() && run.kind() != RunVerdict.Kind.PASS)
                .limit(MAX_CONDITIONS)
                .map(RunVerdict.Condition::sentence)
                .collect(Collectors.joining("\n"));
        String text = run.kind().word() + ", diagnosis " + run.diagnosis() + (unmet.isEmpty() ? "" : "\n" + unmet);
        out.println("::" + level + " title=" + property(run.name()) + "::" + data(text));
    }

    private static String data(String text) {
        return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
    }

    private static String property(String text) {
        return data(text).replace(":", "%3A").replace(",", "%2C");
    }
}
