package org.naklab.lab.scenarios.mystery;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.DoublePredicate;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.process.Role;
import org.naklab.lab.records.Stall;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.BufferSizing;
import org.naklab.lab.scenarios.Claim;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.NoLossChecks;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.messaging.MessagingContext;

/** The predicted effect of each remedy on the stall. */
public final class MysteryPrediction {
    /** The claims about the mystery in addition to {@link MysteryProof} and {@link NoLossChecks}. */
    public enum Claims implements Claim {
        STALL_PLANNED("stall was planned"),
        STALLED_ONCE("service stalled once"),
        MADE_BY_MAJOR_FAULTS("stall had major page faults"),
        AS_LONG_AS_WANTED("stall had the requested length"),
        CONTEXT_THREADS("stall was on the context thread"),
        BEGAN_AT_BOUNDARY("stall began at the first yield after the snapshots of a second boundary hit the limit"),
        NONE_WORSE("no other stall of the service was worse"),
        DID_NOT_STALL("service did not stall"),
        BUFFER_TOO_SMALL("granted buffer is too small for the stall"),
        BUFFER_HOLDS("granted buffer holds the stall"),
        SOCKET_DROPPED("service's socket dropped datagrams"),
        SENT_NAK("service sent a NAK"),
        DROPPED_NOTHING("socket of %s dropped nothing"),
        SENT_NO_NAK("%s sent no NAK"),
        MACHINE_QUIET("host did not stall the subscribers");

        private final String template;

        Claims(String template) {
            this.template = template;
        }

        @Override
        public String template() {
            return template;
        }
    }

    /** A stall of this share of the requested length overflows the buffer, which holds half of it. */
    private static final double LEAST_SHARE_OF_STALL = 0.9;

    private final RunOutcome outcome;
    private final FidelityStrategy fidelity;
    private final BufferSizing wanted;
    private final List<Expectation> conditions = new ArrayList<>();

    private MysteryPrediction(RunOutcome outcome, BufferSizing wanted) {
        this.outcome = outcome;
        this.wanted = wanted;
        fidelity = MysteryFidelities.of(outcome.plan().fidelity());
    }

    /** @param lossy gateways that may have asked for datagrams again */
    static List<Expectation> check(RunOutcome outcome, Set<String> lossy) {
        BufferSizing wanted = outcome.plan().traffic().stall();
        if (wanted == null) {
            return List.of(Expectation.unknown(Claims.STALL_PLANNED, "", "it was not"));
        }
        MysteryPrediction prediction = new MysteryPrediction(outcome, wanted);
        prediction.add(Expectation.proven(
                Claims.STALL_PLANNED, true, Format.milliseconds(wanted.stallNs() / Units.NS_PER_MS)));
        MysteryRemedies.of(outcome.plan().remedy()).predict(prediction);
        outcome.deployed().forEach((name, role) -> {
            if (role == Role.GATEWAY) {
                prediction.expectNoDrop(name);
                if (!lossy.contains(name)) {
                    prediction.expectNoNak(name);
                }
            }
        });
        prediction.expectQuietMachine();
        return List.copyOf(prediction.conditions);
    }

    /** Expects one stall as long as requested, on the context thread, at a second boundary. */
    void expectStall() {
        List<Stall> stalls = ownStalls();
        add(Expectation.equal(Claims.STALLED_ONCE, "", stalls.size(), 1));
        if (stalls.isEmpty()) {
            expectedOfStall().forEach(claim -> add(Expectation.unknown(claim, "", "there was no stall")));
        } else {
            expect(stalls.get(0));
        }
        expectNoneWorse();
    }

    private void expect(Stall stall) {
        add(fidelity.length(stall, wanted));
        add(Expectation.of(
                Claims.CONTEXT_THREADS,
                stall.thread().equals(MessagingContext.threadName(Deployment.SERVICE)),
                stall.thread()));
        add(begunAtBoundary(stall));
    }

    /**
     * Judges by what happened since the second boundary, not by the time: on a busy machine the snapshots, and whoever sends them, come late. The limiter yields only when it finds
     * its lock held; intervals at whose end the holder was late wake their senders, and nobody yields.
     */
    private Expectation begunAtBoundary(Stall stall) {
        long stallNs = stall.atNs();
        long sinceBoundaryNs = Math.floorMod(stallNs + outcome.epochOffsetNs(), Units.SECOND_NS);
        Interval before = new Interval(stallNs - sinceBoundaryNs, stallNs);
        List<ProcessEvent.RateLimitHit> hits = outcome.events(Deployment.SERVICE, ProcessEvent.RateLimitHit.class);
        if (hits.isEmpty()) {
            return Expectation.unknown(Claims.BEGAN_AT_BOUNDARY, "", "the limit was never hit");
        }
        OptionalLong hitNs = hits.stream()
                .mapToLong(ProcessEvent.RateLimitHit::atNs)
                .filter(before::contains)
                .min();
        String since = Format.milliseconds(sinceBoundaryNs / Units.NS_PER_MS) + " after the boundary";
        if (hitNs.isEmpty()) {
            return Expectation.of(Claims.BEGAN_AT_BOUNDARY, false, since + ", and the limit had not been hit since");
        }
        Interval sinceHit = new Interval(hitNs.getAsLong(), stallNs);
        long yields = outcome.events(Deployment.SERVICE, ProcessEvent.Yielded.class).stream()
                .filter(yielded -> yielded.thread().equals(stall.thread()))
                .filter(yielded -> sinceHit.contains(yielded.atNs())
                        && sinceHit.contains(
                                yielded.atNs() + yielded.interruption().lengthNs()))
                .count();
        long woken = outcome.events(Deployment.SERVICE, ProcessEvent.SendersWoken.class).stream()
                .filter(event -> sinceHit.contains(event.atNs()))
                .count();
        return Expectation.of(
                Claims.BEGAN_AT_BOUNDARY,
                yields == 0,
                since + ", " + Format.milliseconds((stallNs - hitNs.getAsLong()) / Units.NS_PER_MS)
                        + " after the first hit; senders woken in between: " + woken + ", yields: " + yields);
    }

    private List<Claims> expectedOfStall() {
        return List.of(fidelity.lengthClaim(), Claims.CONTEXT_THREADS, Claims.BEGAN_AT_BOUNDARY);
    }

    /** Checks that no other stall was worse: where pages are missing, a stall of the JVM may cost more than the expected one. */
    private void expectNoneWorse() {
        if (fidelity.isShortOfPages()) {
            String worst = outcome.diagnosis().cause().label();
            add(Expectation.proven(Claims.NONE_WORSE, ContainedStrategy.LATE_BINDING.contains(worst), worst));
        }
    }

    /** Expects that the service did not stall. */
    void expectNoStall() {
        List<Stall> stalls = ownStalls();
        add(Expectation.of(
                Claims.DID_NOT_STALL,
                stalls.isEmpty(),
                stalls.isEmpty()
                        ? "none over 20 ms"
                        : stalls.size() + ", the first of "
                                + Format.milliseconds(stalls.get(0).durationMs()) + ": "
                                + stalls.get(0).cause()));
    }

    /** Expects that the socket overflowed and that the service sent a NAK. */
    void expectLoss() {
        requireBuffer(held -> held < 1, Claims.BUFFER_TOO_SMALL);
        long drops = outcome.datagramsDropped(Deployment.SERVICE);
        addLoss(outcome.onSocketsOf(
                Deployment.SERVICE, Expectation.of(Claims.SOCKET_DROPPED, drops > 0, Format.count(drops))));
        ServiceReport service = outcome.subscriber(Deployment.SERVICE);
        addLoss(
                service == null
                        ? Expectation.unknown(Claims.SENT_NAK, "", NoLossChecks.NO_FINAL_REPORT)
                        : Expectation.of(
                                Claims.SENT_NAK,
                                service.intake().transport().naksSent() > 0,
                                Format.count(service.intake().transport().naksSent())));
    }

    /** The buffer is too small for a stall of the requested length: one that was shorter, or at the end of the flow, need not overflow it. */
    private void addLoss(Expectation condition) {
        List<Stall> stalls = ownStalls();
        double dueMs = LEAST_SHARE_OF_STALL * wanted.stallNs() / Units.NS_PER_MS;
        boolean isDue = stalls.isEmpty() || stalls.stream().anyMatch(stall -> inFlowMs(stall) >= dueMs);
        add(isDue ? condition : condition.inDoubt());
    }

    /** Returns how much of a stall lay within the flow, ms. */
    private double inFlowMs(Stall stall) {
        Interval counted = outcome.counted();
        long durationNs = outcome.plan().workload().durationNs();
        if (counted == null || durationNs == Long.MAX_VALUE) {
            return stall.durationMs();
        }
        long warmUpNs = TimeUnit.MILLISECONDS.toNanos(MysteryFaults.warmUpMs(outcome.plan()));
        long lastEventNs = counted.beginNs() + durationNs - warmUpNs;
        return Math.min(stall.durationMs(), (lastEventNs - stall.atNs()) / Units.NS_PER_MS);
    }

    /** Expects that the socket of a process did not overflow and that it sent no NAK. */
    void expectNoLoss(String process) {
        expectNoDrop(process);
        expectNoNak(process);
    }

    private void expectNoDrop(String process) {
        add(outcome.onSocketsOf(
                process, Expectation.none(Claims.DROPPED_NOTHING, process, outcome.datagramsDropped(process))));
    }

    private void expectNoNak(String process) {
        ServiceReport report = outcome.subscriber(process);
        add(
                report == null
                        ? Expectation.unknown(Claims.SENT_NO_NAK, process, NoLossChecks.NO_FINAL_REPORT)
                        : Expectation.none(
                                Claims.SENT_NO_NAK,
                                process,
                                report.intake().transport().naksSent()));
    }

    /** Requires that the granted buffer holds the datagrams of the stall. */
    void expectBufferHolds() {
        requireBuffer(held -> held > 1, Claims.BUFFER_HOLDS);
    }

    /** Without it the kernel would answer another question than the one asked. */
    private void requireBuffer(DoublePredicate fits, Claims claim) {
        long granted = grantedBytes();
        boolean isSo = granted > 0 && fits.test(wanted.heldBy(granted));
        String figures = Format.bytes(granted) + " for " + Format.bytes(wanted.stallBufferBytes());
        add(Expectation.proven(claim, isSo, granted == 0 ? "the service did not report its buffer" : figures));
    }

    /**
     * Stalls that others than the replica made put the run in doubt, not the prediction: one of the service that its buffer could
     * not hold, since what it cost cannot be told from what is looked for; any when something was not as predicted.
     */
    private void expectQuietMachine() {
        List<Stall> foreign =
                outcome.stalls().stream().filter(fidelity::isForeign).toList();
        double heldMs = wanted.heldMs(grantedBytes());
        boolean isService = foreign.stream()
                .anyMatch(stall -> stall.process().equals(Deployment.SERVICE) && stall.durationMs() >= heldMs);
        boolean isFailed = conditions.stream().anyMatch(condition -> condition.verdict() == Verdict.FAIL);
        boolean isDoubtful = (isService && !fidelity.isShortOfPages()) || (isFailed && !foreign.isEmpty());
        if (isDoubtful) {
            conditions.replaceAll(Expectation::inDoubt);
        }
        add(Expectation.proven(
                Claims.MACHINE_QUIET,
                !isDoubtful,
                foreign.isEmpty()
                        ? "always"
                        : foreign.size() + " stalls without a CPU, the first of "
                                + Format.milliseconds(foreign.get(0).durationMs()) + " on "
                                + foreign.get(0).thread()));
    }

    /** Returns the granted buffer of the service's socket; 0 if it was not reported. */
    private long grantedBytes() {
        ServiceReport service = outcome.subscriber(Deployment.SERVICE);
        return service == null ? 0 : service.intake().grantedReceiveBufferBytes();
    }

    private List<Stall> ownStalls() {
        return outcome.stalls().stream()
                .filter(stall -> stall.process().equals(Deployment.SERVICE) && !fidelity.isForeign(stall))
                .toList();
    }

    private void add(Expectation condition) {
        conditions.add(condition);
    }
}
