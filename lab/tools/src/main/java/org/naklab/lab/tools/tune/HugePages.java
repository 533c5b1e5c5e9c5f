package org.naklab.lab.tools.tune;

import java.util.List;

/** Looks whether an arm that asks for huge pages got any: the JVM takes the flag, and the kernel may give none. */
final class HugePages {
    private static final List<String> FLAGS = List.of("-XX:+UseTransparentHugePages", "-XX:+UseLargePages");
    private static final String ALWAYS = "/sys/kernel/mm/transparent_hugepage/enabled=always";

    private HugePages() {}

    /**
     * Returns what is not in effect, one line each.
     *
     * @param hugePageBytes that the measured process had
     */
    static List<String> missing(Arm arm, long hugePageBytes) {
        return arm.settings().stream()
                .map(Setting::toString)
                .filter(setting -> FLAGS.contains(setting) || setting.equals(ALWAYS))
                .filter(setting -> hugePageBytes == 0)
                .map(setting -> setting + ": the process had no memory in huge pages (smaps)")
                .toList();
    }
}
