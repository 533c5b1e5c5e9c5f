package org.naklab.lab.workshop.seal;

import java.util.List;
import java.util.regex.Pattern;

/** Takes the names of the injector of faults, and of the lab itself, out of the text of a case. What a program did stays as it was. */
public final class Redaction {
    private record Rule(Pattern what, String instead) {}

    private static final List<Rule> RULES = List.of(
            // The directory of a run has the name of its scenario.
            rule("[\\w./-]*/[a-z0-9-]+/\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d\\.\\d{3}Z-\\d+/", "/data/"),
            rule("org\\.naklab\\.faults\\.binding\\.[\\w.$]*yieldOnce", "app.Pacing.yieldOnce"),
            rule("org\\.naklab\\.(?:faults|lab)\\.[\\w.$]*", "app.Step.run"),
            rule("Java_org_naklab_\\w*yieldOnce", "Java_app_Pacing_yieldOnce"),
            rule("libnaklab_yield", "libpacing"),
            rule("_dl_audit_\\w+", "_dl_fixup"),
            rule("naklab-kernel-\\d+", "recorder"),
            rule("naklab-storm", "worker-4"),
            rule("naklab-foreign-\\d+", "service"),
            rule("/[\\w./-]*foreign[\\w./-]*", "/data/file"),
            rule("fault-mapped-wr\\w*", "worker-1"),
            rule("fault-slow-to-s\\w*", "worker-2"),
            rule("fault-[a-z-]+", "worker-3"),
            rule("foreign-[a-z-]+", "agent-1"),
            rule("\"faults\":", "\"reads\":"),
            rule("\"faults\"", "\"control\""),
            rule("\\bfaults\\b(?=\")", "control"),
            rule("lab-commands", "control-2"),
            rule("\\bactor\\b", "worker-5"),
            rule("org\\.naklab\\.", "app."),
            rule("baselinePerSecond", "usualPerSecond"),
            rule("naklab", "app"));

    /** Something of each rule: most lines have nothing of any. */
    private static final List<String> ANY =
            List.of("naklab", "foreign", "fault", "_dl_audit", "lab-commands", "actor", "baseline", "Z-");

    private Redaction() {}

    private static Rule rule(String what, String instead) {
        return new Rule(Pattern.compile(what), instead);
    }

    /** Returns the text with neutral names. */
    public static String of(String text) {
        if (ANY.stream().noneMatch(text::contains)) {
            return text;
        }
        String redacted = text;
        for (Rule rule : RULES) {
            redacted = rule.what().matcher(redacted).replaceAll(rule.instead());
        }
        return redacted;
    }
}
