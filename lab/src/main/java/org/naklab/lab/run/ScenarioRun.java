package org.naklab.lab.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.JournalException;
import org.naklab.journaler.JournalVerifier;
import org.naklab.journaler.Verification;
import org.naklab.lab.LabException;
import org.naklab.lab.detect.TimelineEvent;
import org.naklab.lab.detect.TimelineEventType;
import org.naklab.lab.diagnose.CaseFile;
import org.naklab.lab.diagnose.Diagnosis;
import org.naklab.lab.process.ChildEvent;
import org.naklab.lab.process.ChildProcess;
import org.naklab.lab.process.ExchangeReport;
import org.naklab.lab.process.FaultReport;
import org.naklab.lab.process.Installation;
import org.naklab.lab.process.Json;
import org.naklab.lab.process.ServiceReport;
import org.naklab.lab.process.Surroundings;
import org.naklab.lab.scenario.Attachment;
import org.naklab.lab.scenario.Condition;
import org.naklab.lab.scenario.Deployment;
import org.naklab.lab.scenario.RunOutcome;
import org.naklab.lab.scenario.RunPlan;
import org.naklab.lab.scenario.Scenario;
import org.naklab.lab.scenario.SocketReading;
import org.naklab.lab.scenario.Stall;
import org.naklab.lab.scenario.Verdict;
import org.naklab.messaging.Topic;

/** One run of a scenario, from the first process to the verdict. */
public final class ScenarioRun {
    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    /** Kept for the verdict; the timeline has all. */
    private static final int MAX_EVENTS = 10_000;

    private static final long LAST_WORD_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(15);

    private final Scenario scenario;
    private final RunPlan plan;
    private final Installation installation;
    private final RunListener listener;
    private final Cancellation cancellation;
    private final Queue<ChildEvent> events = new LinkedBlockingQueue<>(MAX_EVENTS);
    private final List<String> troubles = new ArrayList<>();
    private final SinceWarmUp sinceWarmUp = new SinceWarmUp();
    private volatile long flowBeganNs = Long.MAX_VALUE;
    /** After it, they close what they hold. */
    private volatile long flowEndedNs = Long.MAX_VALUE;

    public ScenarioRun(
            Scenario scenario,
            RunPlan plan,
            Installation installation,
            RunListener listener,
            Cancellation cancellation) {
        this.scenario = scenario;
        this.plan = plan;
        this.installation = installation;
        this.listener = listener;
        this.cancellation = cancellation;
    }

    /** Runs it. Whatever goes wrong on the way is a trouble in the outcome; processes are gone when it returns. */
    public RunResult execute() throws InterruptedException {
        long beginNs = System.nanoTime();
        long epochOffsetNs = SystemEpochNanoClock.INSTANCE.nanoTime() - beginNs;
        listener.onPlanned(plan);
        Deployment deployment = Attachment.deploy(scenario, plan);
        Observed observed;
        try (Surroundings surroundings = deployment.surroundings()) {
            surroundings.prepare();
            observed = runProcesses(deployment);
            surroundings.collect();
        }
        listener.onWindingDown("verifying the journal");
        Seen seen = observed.seen();
        RunInstruments instruments = observed.instruments();
        List<SocketReading> sockets = instruments.readings(observed.timeline());
        CaseFile file = CaseFiles.of(
                new CaseFile.Window(countedFromNs(), flowEndedNs),
                observed.timeline(),
                seen.subscribers(),
                sockets,
                new LossBalance(
                        observed.timeline(),
                        plan.channels().port(Topic.ORDER_BOOK_EVENTS),
                        deployment.longestFeedDatagramBytes()),
                instruments.maxima());
        RunOutcome outcome = new RunOutcome(
                plan,
                seen.exchange(),
                seen.subscribers(),
                verify(),
                sockets,
                stalls(file),
                List.copyOf(events),
                troubles,
                seen.outsideFaults(),
                instruments.observation(observed.timeline()),
                Diagnosis.of(file),
                epochOffsetNs,
                System.nanoTime() - beginNs);
        return judge(outcome);
    }

    private Observed runProcesses(Deployment deployment) throws InterruptedException {
        try (RunTimeline timeline = new RunTimeline(plan.directory().resolve("timeline.jsonl"));
                ProcessGroup group = ProcessGroup.start(
                        deployment,
                        plan.directory(),
                        plan.aeronPrefix(),
                        installation,
                        event -> take(timeline, event));
                RunInstruments instruments = new RunInstruments(plan, timeline);
                OutsideFaults outside = new OutsideFaults(scenario.outsideFaults(plan))) {
            flow(group, instruments, outside, deployment.surroundings());
            instruments.onFlowEnded();
            Seen seen = windDown(group, outside);
            if (seen.subscribers().size() == group.subscribers().size()) {
                instruments.onProcessesEnding();
            }
            instruments.stop();
            return new Observed(seen, timeline.events(), instruments);
        }
    }

    private record Seen(
            @Nullable ExchangeReport exchange,
            List<ServiceReport> subscribers,
            Map<String, FaultReport> outsideFaults) {}

    private record Observed(Seen seen, List<TimelineEvent> timeline, RunInstruments instruments) {}

    private void flow(ProcessGroup group, RunInstruments instruments, OutsideFaults outside, Surroundings surroundings)
            throws InterruptedException {
        try {
            group.awaitAll(group.all(), "ready", START_TIMEOUT_NS, cancellation);
            group.all().forEach(this::tellReady);
            group.awaitAll(group.subscribers(), "image", START_TIMEOUT_NS, cancellation);
            instruments.attach(group);
            outside.launch(group);
            settle(group);
            flowBeganNs = System.nanoTime();
            instruments.countFrom(countedFromNs());
            group.exchange().command("start");
            outside.onFlowStarted();
            surroundings.onFlowStarted();
            listener.onFlowStarted();
            new FlowWatch(group, listener, cancellation).awaitComplete(scenario.quietNs(plan));
        } catch (LabException e) {
            troubles.add(String.valueOf(e.getMessage()));
        } finally {
            flowEndedNs = System.nanoTime();
        }
    }

    /** What the start and the instruments left on the heaps is collected now, not while traffic flows. */
    private void settle(ProcessGroup group) throws InterruptedException {
        group.all().forEach(child -> child.command("settle"));
        group.awaitAll(group.all(), "settled", START_TIMEOUT_NS, cancellation);
    }

    private void tellReady(ChildProcess child) {
        ChildEvent ready = child.latest("ready");
        int granted = ready == null
                ? 0
                : ready.details().path("grantedReceiveBufferBytes").asInt();
        listener.onReady(child.name(), child.pid(), granted);
    }

    /** First the exchange, which sends the trailer if it has not; the subscribers when they have it, or time is up. */
    private Seen windDown(ProcessGroup group, OutsideFaults outside) throws InterruptedException {
        listener.onWindingDown("ending the processes");
        group.exchange().command("stop");
        if (group.exchange().await("done", LAST_WORD_TIMEOUT_NS) != null) {
            for (ChildProcess subscriber : group.subscribers()) {
                subscriber.await("complete", LAST_WORD_TIMEOUT_NS);
            }
        }
        List<ServiceReport> reports = new ArrayList<>();
        for (ChildProcess subscriber : group.subscribers()) {
            subscriber.command("close");
        }
        for (ChildProcess subscriber : group.subscribers()) {
            ServiceReport report = lastWord(subscriber, ServiceReport.class);
            if (report != null) {
                reports.add(sinceWarmUp.of(report));
            }
        }
        group.exchange().command("close");
        return new Seen(lastWord(group.exchange(), ExchangeReport.class), reports, outside.reports());
    }

    private <T> @Nullable T lastWord(ChildProcess child, Class<T> type) throws InterruptedException {
        ChildEvent closed = child.await("closed", LAST_WORD_TIMEOUT_NS);
        if (closed == null) {
            troubles.add(child.name() + " ended without a last word");
            return null;
        }
        return Json.value(closed.details(), type);
    }

    private @Nullable Verification verify() {
        Path journal = plan.journalDirectory();
        if (!Files.isDirectory(journal)) {
            return null;
        }
        try {
            return JournalVerifier.verify(journal);
        } catch (JournalException e) {
            troubles.add(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private RunResult judge(RunOutcome outcome) {
        List<Condition> conditions = scenario.check(outcome);
        Verdict verdict = Verdict.of(conditions.stream().map(Condition::verdict).toList());
        return new RunResult(outcome, conditions, verdict, scenario.story(outcome, verdict));
    }

    private List<Stall> stalls(CaseFile file) {
        return file.events().stream()
                .filter(event -> event.type() == TimelineEventType.STALL
                        && file.counted().contains(event.timeNs()))
                .map(event -> new Stall(
                        event.process(),
                        event.timeNs(),
                        ((Number) event.details().getOrDefault("durationMs", 0)).doubleValue(),
                        event.thread(),
                        event.longDetail("majorFaults", -1),
                        Diagnosis.causeOf(file, event).label()))
                .toList();
    }

    private long countedFromNs() {
        return flowBeganNs == Long.MAX_VALUE ? flowBeganNs : flowBeganNs + scenario.warmUpNs(plan);
    }

    private void take(RunTimeline timeline, ChildEvent event) {
        timeline.accept(event);
        if (event.atNs() - countedFromNs() < 0) {
            sinceWarmUp.accept(event);
        }
        if (ChildEvents.isOnTimeline(event) && !event.process().equals(Deployment.EXCHANGE)) {
            events.offer(event);
        }
    }
}
