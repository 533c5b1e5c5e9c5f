package org.naklab.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.binding.AuditPage;
import org.naklab.faults.binding.SymbolBind;
import org.naklab.faults.kind.LazyBindingFault;

/** Tells what the audit library wrote down of this process: each bind with the library's own times. */
final class BindWatch {
    private final int processId = (int) ProcessHandle.current().pid();
    private final Set<SymbolBind> told = new HashSet<>();
    private final @Nullable AuditPage page;

    private BindWatch(@Nullable AuditPage page) {
        this.page = page;
    }

    /** Watches the page that this process was started with, if it was. */
    static BindWatch ofProcess() {
        String path = System.getenv(LazyBindingFault.PAGE_VARIABLE);
        return new BindWatch(path == null ? null : AuditPage.open(Path.of(path)));
    }

    void tell(LabLink link) {
        if (page == null) {
            return;
        }
        for (SymbolBind bind : page.binds()) {
            if (bind.processId() == processId && told.add(bind)) {
                link.report(
                        "SYMBOL_BOUND",
                        bind.beginNs(),
                        Json.object()
                                .put("thread", nameOf(bind.threadId()))
                                .put("threadId", bind.threadId())
                                .put("symbol", bind.symbol())
                                .put("durationMs", bind.durationNs() / 1e6)
                                .put("delayed", bind.delayed()));
            }
        }
    }

    /** As the kernel has it, which cuts names off after 15 characters. */
    private static String nameOf(int threadId) {
        try {
            return Files.readString(Path.of("/proc/self/task/" + threadId + "/comm"))
                    .strip();
        } catch (IOException e) {
            // The thread has ended since.
            return "ended";
        }
    }
}
