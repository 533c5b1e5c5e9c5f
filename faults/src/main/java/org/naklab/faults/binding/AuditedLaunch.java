package org.naklab.faults.binding;

import java.nio.file.Path;
import java.util.Map;

/**
 * Tells how to start a process whose bind of {@code sched_yield} shall be delayed. The delay itself stands in the {@link AuditPage},
 * where it can be changed while the process runs.
 *
 * @param auditLibrary {@link NativeLibraries#auditLibrary()}, or where it lies for the process to be launched
 * @param page the page's path, as the process to be launched sees it
 */
public record AuditedLaunch(Path auditLibrary, Path page) {
    /** The symbol whose bind is delayed. */
    public static final String SYMBOL = "sched_yield";

    /** Variables to set for the process, besides those that it has. */
    public Map<String, String> environment() {
        return Map.of(
                "LD_AUDIT",
                auditLibrary.toAbsolutePath().toString(),
                "NAKLAB_AUDIT_PAGE",
                page.toAbsolutePath().toString(),
                "NAKLAB_AUDIT_OBJECT",
                "libnaklab_yield",
                "NAKLAB_AUDIT_SYMBOL",
                SYMBOL);
    }

    /** The remedy bind-now: every symbol is bound when its library is loaded. */
    public static Map<String, String> bindNow() {
        return Map.of("LD_BIND_NOW", "1");
    }
}
