package org.naklab.faults.host;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.Commands;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultProof;
import org.naklab.faults.ProofLog;

/**
 * One busy process on each processor, above everything that is scheduled in the ordinary way. Each is ended by a timer of higher
 * priority on its own processor, whoever may still be there to end it.
 */
final class MachineStall implements Fault {
    private static final int BURNER_PRIORITY = 50;

    private final long stallMs;
    private final ProofLog log = new ProofLog();
    private @Nullable LatenessProbe probe;
    private @Nullable Process launcher;

    MachineStall(long stallMs) {
        this.stallMs = stallMs;
    }

    @Override
    public void arm() {
        probe = LatenessProbe.start();
        launcher = Commands.start(
                List.of("chrt", "-f", Integer.toString(BURNER_PRIORITY + 2), "sh", "-c", script()),
                ProcessBuilder.Redirect.DISCARD);
    }

    /** Above its burners in priority, so that the first does not keep the last from starting. */
    private String script() {
        String burner = String.format(
                Locale.ROOT,
                "chrt -f %d timeout -s KILL %.3f chrt -f %d sh -c 'while :; do :; done'",
                BURNER_PRIORITY + 1,
                stallMs / 1e3,
                BURNER_PRIORITY);
        return "for cpu in $(seq 0 $(($(nproc --all) - 1))); do taskset -c $cpu " + burner + " & done; wait";
    }

    @Override
    public void disarm() {
        Process running = launcher;
        LatenessProbe started = probe;
        if (running == null || started == null) {
            return;
        }
        launcher = null;
        probe = null;
        try {
            if (!running.waitFor(Commands.KILLED_TIMEOUT_S, TimeUnit.SECONDS)) {
                throw new FaultException("the burners do not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            started.close();
            measure(started);
        }
    }

    private void measure(LatenessProbe measured) {
        LatenessProbe.Gap longest = measured.longest();
        log.set("longestGapNs", longest.endNs() - longest.beginNs());
        boolean isLong = longest.endNs() - longest.beginNs() >= TimeUnit.MILLISECONDS.toNanos(stallMs) / 2;
        if (isLong && log.firings() == 0) {
            log.fired(longest.beginNs(), longest.endNs(), "an idle thread's timer");
        }
    }

    @Override
    public FaultProof proof() {
        LatenessProbe running = probe;
        if (running != null) {
            measure(running);
        }
        return log.proof("an otherwise idle thread did not run meanwhile", "an idle thread was hardly late");
    }
}
