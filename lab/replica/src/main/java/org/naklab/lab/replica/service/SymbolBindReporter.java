package org.naklab.lab.replica.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.binding.AuditPage;
import org.naklab.faults.binding.AuditedLaunch;
import org.naklab.faults.binding.LazyYield;
import org.naklab.faults.binding.SymbolBind;
import org.naklab.faults.binding.YieldMeasurement;
import org.naklab.faults.kind.LazyBindingFault;
import org.naklab.lab.core.Units;
import org.naklab.lab.process.ControlChannel;
import org.naklab.lab.process.ProcessEvent;

/**
 * Tells of binds: what the audit library wrote down of this process, each with the library's own times; or without that library the one
 * late bind that can be told by the slot that it filled.
 */
final class SymbolBindReporter {
    private final int processId = (int) ProcessHandle.current().pid();
    private final Set<SymbolBind> told = new HashSet<>();
    private final @Nullable AuditPage page;
    private boolean slotTold;

    private SymbolBindReporter(@Nullable AuditPage page) {
        this.page = page;
    }

    /** Watches the page that this process was started with, if it was. */
    static SymbolBindReporter ofProcess() {
        String path = System.getenv(LazyBindingFault.PAGE_VARIABLE);
        return new SymbolBindReporter(path == null ? null : AuditPage.open(Path.of(path)));
    }

    void report(ControlChannel link) {
        if (page == null) {
            reportSlot(link);
            return;
        }
        for (SymbolBind bind : page.binds()) {
            if (bind.processId() == processId && told.add(bind)) {
                link.report(new ProcessEvent.SymbolBound(
                        bind.beginNs(),
                        nameOf(bind.threadId()),
                        bind.threadId(),
                        bind.symbol(),
                        bind.durationNs() / Units.NS_PER_MS,
                        null,
                        bind.delayed()));
            }
        }
    }

    /** Reports the first yield through the lazily bound library, if it found its slot unfilled and filled it. */
    private void reportSlot(ControlChannel link) {
        YieldMeasurement first = LazyYield.firstBinding();
        if (slotTold || first == null) {
            return;
        }
        slotTold = true;
        if (LazyYield.isSlotBound()) {
            link.report(new ProcessEvent.SymbolBound(
                    first.beginNs(),
                    nameOf(first.threadId()),
                    first.threadId(),
                    AuditedLaunch.SYMBOL,
                    first.durationNs() / Units.NS_PER_MS,
                    first.majorFaults(),
                    false));
        }
    }

    /** Returns the name as the kernel has it, truncated to 15 characters. */
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
