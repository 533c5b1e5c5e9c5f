package org.naklab.faults.junit;

import java.util.List;
import java.util.stream.Collectors;
import org.agrona.collections.ArrayUtil;
import org.naklab.faults.FaultException;

/** The JVM flags without which Agrona, and so Aeron, cannot run. */
public final class JvmFlags {
    private static final List<String> OPENED = List.of("jdk.internal.misc", "sun.nio.ch");

    private JvmFlags() {}

    /**
     * Checks the flags of this JVM.
     *
     * @throws FaultException if one is missing; the message is one line with all that are missing, and where to add them
     */
    public static void check() {
        check(Object.class.getModule(), ArrayUtil.class.getModule());
    }

    static void check(Module base, Module agrona) {
        String to = agrona.isNamed() ? agrona.getName() : "ALL-UNNAMED";
        String missing = OPENED.stream()
                .filter(each -> !base.isOpen(each, agrona))
                .map(each -> "--add-opens " + base.getName() + '/' + each + '=' + to)
                .collect(Collectors.joining(" "));
        if (!missing.isEmpty()) {
            throw new FaultException(
                    "Aeron needs flags that this JVM of the tests was started without; add to <argLine> of"
                            + " maven-surefire-plugin, or to jvmArgs of Gradle's test task: " + missing);
        }
    }
}
