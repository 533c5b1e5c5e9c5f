package org.naklab.lab.cli.doctor;

import java.util.List;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.capture.FeedCapture;
import org.naklab.lab.instruments.kernel.KernelRecorder;
import org.naklab.lab.instruments.kernel.RecorderSource;

/** Checks the other programs that the lab can use. */
final class ToolChecks {
    /** Looks a symbol up; static in the dynamic linker of glibc. */
    private static final String LINKER_FUNCTION = "do_lookup_x";

    private static final String LOOPBACK = "127.0.0.1";

    private ToolChecks() {}

    static List<Check> all() {
        return List.of(
                ToolChecks::compiler,
                ToolChecks::glibc,
                ToolChecks::perf,
                ToolChecks::kernelRecorder,
                ToolChecks::symbols,
                ToolChecks::tshark,
                ToolChecks::capture);
    }

    private static CheckResult compiler() {
        Tool cc = Tool.run("cc", "--version");
        return CheckResult.of(
                "cc", cc.works(), cc.firstLine(), "apt-get install gcc libc6-dev (macOS: xcode-select --install)");
    }

    private static CheckResult glibc() {
        Tool getconf = Tool.run("getconf", "GNU_LIBC_VERSION");
        String found = getconf.works() ? getconf.firstLine() : "not glibc";
        return CheckResult.of(
                "glibc",
                getconf.works(),
                found,
                "fidelity simulated works without glibc; the others need Linux with glibc");
    }

    /** The account of a stall comes from it; without it, from samples of /proc, and more is unexplained. */
    private static CheckResult kernelRecorder() {
        String reason = KernelRecorder.whyNot(RecorderSource.BPF);
        return CheckResult.of(
                "kernel recorder",
                reason.isEmpty(),
                reason.isEmpty() ? "records waits, page faults and discarded datagrams (BPF)" : reason,
                "without it, the account of a stall comes from /proc, and a larger part is unexplained");
    }

    /** Resolves a function for real, as stacks of a late binding have it. The dynamic linker of a distribution has no symbols of its own. */
    private static CheckResult symbols() {
        try {
            return CheckResult.of(
                    "symbols",
                    KernelRecorder.resolves(LINKER_FUNCTION),
                    "stacks name functions of the C library and its dynamic linker",
                    "apt-get install libc6-dbg (names in stacks; optional)");
        } catch (DetectException e) {
            return CheckResult.no("symbols", String.valueOf(e.getMessage()), "stacks have addresses in place of names");
        }
    }

    /** Counts for real: the program may be there and not allowed. */
    private static CheckResult perf() {
        Tool perf = Tool.run("perf", "stat", "-x,", "-e", "major-faults", "true");
        if (!perf.present()) {
            return CheckResult.no("perf", "not found", "apt-get install linux-perf (page-fault stacks; optional)");
        }
        return CheckResult.of(
                "perf",
                perf.works(),
                perf.works() ? "counts major faults" : "installed, but has no permission to count",
                "sysctl -w kernel.perf_event_paranoid=1");
    }

    /** Asks as a run with {@code --capture} does: the program may be there and not allowed. */
    private static CheckResult capture() {
        String reason = FeedCapture.obstacle(LOOPBACK).orElse("");
        return CheckResult.of(
                "capture",
                reason.isEmpty(),
                reason.isEmpty() ? "dumpcap may capture on loopback" : reason,
                "without it, no naklab run --capture (optional)");
    }

    private static CheckResult tshark() {
        Tool tshark = Tool.run("tshark", "--version");
        return CheckResult.of(
                "tshark", tshark.works(), tshark.firstLine(), "apt-get install tshark (dissects captures; optional)");
    }
}
