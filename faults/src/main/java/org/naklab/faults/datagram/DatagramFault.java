package org.naklab.faults.datagram;

import org.naklab.faults.Fault;
import org.naklab.faults.FaultProof;
import org.naklab.faults.ProofLog;

/** Tells what the faults of the network have in common: a filter, a selection, a proof. */
final class DatagramFault implements Fault, DatagramFilter {
    private final DatagramSeam seam;
    private final Selector selector;
    private final Verdict verdict;
    private final String done;
    private final ProofLog log = new ProofLog();
    private final RepairLog repairs;

    /**
     * For a fault whose victims all suffer by the same rule.
     *
     * @param done what was done to them, for the proof
     */
    DatagramFault(DatagramSeam seam, Selection selection, long seed, String done, Verdict verdict) {
        this.seam = seam;
        selector = new Selector(selection, seed);
        this.done = done;
        this.verdict = verdict;
        repairs = new RepairLog(selection);
    }

    @Override
    public void arm() {
        seam.install(this);
    }

    @Override
    public synchronized Fate fateOf(Datagram datagram) {
        if (!selector.strikes(datagram)) {
            repairs.onPassed(datagram);
            return Fate.PASS;
        }
        long nowNs = System.nanoTime();
        repairs.onStruck(datagram, nowNs);
        log.fired(nowNs, nowNs, log.wantsMore() ? datagram.describe() : "");
        log.add("bytes", datagram.lengthBytes());
        return verdict.fate();
    }

    @Override
    public void disarm() {
        seam.remove(this);
    }

    @Override
    public synchronized FaultProof proof() {
        log.set("considered", selector.considered());
        if (repairs.repaired() > 0) {
            log.set("repaired", repairs.repaired());
            log.set("longestRepairNs", repairs.longestNs());
        }
        return log.proof(done + " datagrams", whyNot());
    }

    private String whyNot() {
        if (selector.considered() > 0) {
            return "none of " + selector.considered() + " datagrams was selected";
        }
        if (seam.endpoints() == 0) {
            return "no media driver sends or receives through this fault: give its receiveEndpoints() and sendEndpoints()"
                    + " to the driver's context; a channel over IPC has no datagrams, and so no endpoint";
        }
        return selector.seen() == 0
                ? "no datagram came by while the fault was armed"
                : "none of " + selector.seen() + " datagrams that came by was " + selector.describe();
    }

    /** The fate of the next one that is struck. */
    @FunctionalInterface
    interface Verdict {
        Fate fate();
    }
}
