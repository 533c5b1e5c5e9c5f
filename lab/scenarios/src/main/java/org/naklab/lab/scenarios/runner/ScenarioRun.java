package org.naklab.lab.scenarios.runner;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.JournalException;
import org.naklab.journaler.JournalVerifier;
import org.naklab.journaler.Verification;
import org.naklab.lab.cases.Case;
import org.naklab.lab.cases.CaseReader;
import org.naklab.lab.cases.CaseWriter;
import org.naklab.lab.cases.Judgement;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.books.BookViewer;
import org.naklab.lab.core.books.BooksFile;
import org.naklab.lab.core.pace.PaceViewer;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.instruments.linux.MonotonicConverter;
import org.naklab.lab.instruments.series.SampleConsumer;
import org.naklab.lab.process.ChildProcess;
import org.naklab.lab.process.ControlCommand;
import org.naklab.lab.process.DeploymentEnvironment;
import org.naklab.lab.process.Installation;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.process.ReportedEvent;
import org.naklab.lab.process.Role;
import org.naklab.lab.process.RunMemory;
import org.naklab.lab.process.ServedAt;
import org.naklab.lab.records.ExchangeRecord;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.replica.customers.CustomersReport;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.InstrumentCoverage;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.SocketReading;
import org.naklab.lab.scenarios.evidence.KeptBooks;
import org.naklab.lab.scenarios.evidence.Reserve;
import org.naklab.lab.scenarios.evidence.Unkept;
import org.naklab.lab.scenarios.inspection.Inspector;
import org.naklab.lab.scenarios.mystery.ComposeDeployment;
import org.naklab.lab.scenarios.record.Problems;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.messaging.Topic;
import org.naklab.messaging.feed.FeedId;

/** One run of a scenario, from the first process to the verdict. */
public final class ScenarioRun {
    /** Files of a run that are evidence beside the events. */
    private static final List<String> RECORDED =
            List.of("samples.csv.gz", "window-samples.csv.gz", "window.jfr", "window-perf.data");

    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    /** Kept for the verdict; the timeline has all. */
    private static final int MAX_EVENTS = 10_000;

    private static final long FINAL_REPORT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(15);

    /** Up, connected, settled. */
    private static final long STARTING_STEPS = 3;
    /** Maximum number of final reports: of the exchange, three subscribers and the customers, at the end of the flow and at their close. */
    private static final long MOST_FINAL_REPORTS = 10;

    private final Scenario scenario;
    private final RunPlan plan;
    private final Installation installation;
    private final RunListener listener;
    private final Cancellation cancellation;
    private final List<SampleConsumer> viewers;
    private final Paces paces;
    private final Queue<ReportedEvent> events = new LinkedBlockingQueue<>(MAX_EVENTS);
    private final List<String> troubles = new ArrayList<>();
    private final Unkept unkept = new Unkept();
    private final WarmUpBaseline sinceWarmUp = new WarmUpBaseline();
    private volatile long flowBeganNs = Long.MAX_VALUE;
    private volatile @Nullable ExternalFaults launched;
    /** After it, they close what they hold. */
    private volatile long flowEndedNs = Long.MAX_VALUE;

    private @Nullable LiveFaults liveFaults;
    private boolean isFeedStopped;

    /** Prepares a run that is recorded, and that nobody looks at meanwhile. */
    public ScenarioRun(
            Scenario scenario,
            RunPlan plan,
            Installation installation,
            RunListener listener,
            Cancellation cancellation) {
        this(scenario, plan, installation, listener, cancellation, List.of());
    }

    /**
     * Prepares a run.
     *
     * @param viewers take all samples, and the events of the timeline, while it goes on; closed with its instruments
     */
    public ScenarioRun(
            Scenario scenario,
            RunPlan plan,
            Installation installation,
            RunListener listener,
            Cancellation cancellation,
            List<? extends SampleConsumer> viewers) {
        this.viewers = List.copyOf(viewers);
        paces = new Paces(viewers(PaceViewer.class));
        this.scenario = scenario;
        this.plan = plan;
        this.installation = installation;
        this.listener = listener;
        this.cancellation = cancellation;
    }

    /**
     * Returns the maximum duration of the processes of a run, ns: each wait at its bound, without the preparation.
     *
     * @param flowNs how long the flow lasts, ns
     */
    public static long longestNs(long flowNs) {
        return STARTING_STEPS * START_TIMEOUT_NS
                + flowNs
                + FlowMonitor.NO_PROGRESS_NS
                + MOST_FINAL_REPORTS * FINAL_REPORT_TIMEOUT_NS;
    }

    /**
     * Runs it, in shared memory of its own. Whatever goes wrong on the way is a trouble in the outcome; processes and shared memory are gone
     * when it returns.
     */
    public RunResult execute() throws InterruptedException {
        try (RunMemory memory = RunMemory.create()) {
            RunPlan placed = plan.at(plan.directory(), memory.aeronPrefix());
            return new ScenarioRun(scenario, placed, installation, listener, cancellation, viewers).executeInPlace();
        }
    }

    private RunResult executeInPlace() throws InterruptedException {
        long beginNs = System.nanoTime();
        long epochOffsetNs = MonotonicConverter.ofSystem().epochOffsetNs();
        listener.onPlanned(plan);
        Deployment deployment = plan.settings()
                .into(plan.added()
                        .into(
                                plan.customers()
                                        .into(
                                                ComposeDeployment.deploy(scenario, plan, listener),
                                                scenario.customersFaults(plan),
                                                scenario.warmUpNs(plan)),
                                plan,
                                scenario.warmUpNs(plan)))
                .withWarmUpNs(scenario.warmUpNs(plan));
        Reserve reserve = Reserve.in(plan.directory(), unkept);
        Inspector inspector = Inspector.begin(scenario.isInspected(), plan.journalDirectory());
        Observed observed;
        try (DeploymentEnvironment environment = deployment.environment()) {
            environment.prepare();
            observed = runProcesses(deployment, inspector);
            collect(environment);
        } finally {
            reserve.close();
            inspector.close();
        }
        listener.onWindingDown("verifying the journal");
        Interval counted = new Interval(countedFromNs(), flowEndedNs);
        Seen seen = observed.seen();
        RunInstruments instruments = observed.instruments();
        List<SocketReading> sockets = instruments.readings(observed.timeline());
        Map<String, Role> deployed = deployed(deployment);
        Verification journal = verify(seen.exchange());
        InstrumentCoverage observation = instruments.observation(observed.timeline());
        Case evidence = RunCases.of(
                plan.channels().port(Topic.ORDER_BOOK_EVENTS),
                counted,
                epochOffsetNs,
                observed.timeline(),
                seen.subscribers(),
                sockets,
                new NetworkLossEstimator(
                        observed.timeline(),
                        plan.channels().port(Topic.ORDER_BOOK_EVENTS),
                        deployment.longestFeedDatagramBytes()),
                instruments.maxima(),
                instruments.keptReadings(),
                Problems.of(deployed, seen.exchange(), seen.subscribers(), journal, troubles, observation),
                observation);
        List<String> unkeptCase = keep(evidence);
        Judgement judgement = Judgement.of(evidence);
        LiveFaults live = liveFaults;
        RunOutcome outcome = new RunOutcome(
                live == null ? plan : plan.with(live.added()),
                deployed,
                seen.exchange(),
                seen.subscribers(),
                journal,
                sockets,
                judgement.stalls(),
                List.copyOf(events),
                troubles,
                seen.outsideFaults(),
                observation,
                judgement.diagnosis(),
                epochOffsetNs,
                System.nanoTime() - beginNs,
                counted.lengthNs() > 0 ? counted : null,
                inspector.finish(),
                judgement.pageFaults(),
                seen.customers());
        return RunResult.of(scenario, outcome.withUnkept(unkeptCase));
    }

    /** Writes the case; returns why it could not be kept, which is a problem of the run. */
    private List<String> keep(Case evidence) {
        Unkept lines = new Unkept();
        Path directory = plan.directory().resolve(CaseReader.DIRECTORY);
        if (lines.attempt(() -> CaseWriter.write(directory, evidence))) {
            lines.attempt(() -> CaseWriter.add(
                    directory, RECORDED.stream().map(plan.directory()::resolve).toList()));
        }
        return lines.lines();
    }

    private static Map<String, Role> deployed(Deployment deployment) {
        Map<String, Role> deployed = new LinkedHashMap<>();
        deployment.subscribers().forEach(spec -> deployed.put(spec.name(), spec.role()));
        return deployed;
    }

    /** Fetches the files of the processes; a failure is a problem of the run, which keeps its figures. */
    private void collect(DeploymentEnvironment environment) {
        try {
            environment.collect();
        } catch (LabException e) {
            troubles.add(String.valueOf(e.getMessage()));
        }
    }

    private Observed runProcesses(Deployment deployment, Inspector inspector) throws InterruptedException {
        try (RunTimeline timeline = new RunTimeline(plan.directory().resolve("timeline.jsonl"), unkept);
                KeptBooks books =
                        new KeptBooks(plan.directory().resolve(BooksFile.NAME), unkept, viewers(BookViewer.class));
                ProcessGroup group = ProcessGroup.start(
                        deployment,
                        plan.directory(),
                        installation,
                        scenario.victims(),
                        plan.placement().isSealed(),
                        (who, event) -> take(timeline, books, who, event));
                RunInstruments instruments =
                        new RunInstruments(plan, scenario.recordsInterrupts(), timeline, unkept, viewers);
                ExternalFaults outside = new ExternalFaults(
                        plan.added().outside(scenario.outsideFaults(plan), scenario.warmUpNs(plan)))) {
            flow(group, timeline, instruments, outside, deployment.environment(), inspector);
            inspector.onFlowEnded();
            reportEnds(group, timeline);
            if (!troubles.isEmpty()) {
                // What a flow that was cut short loses until its end counts, and so does the stall that lost it.
                stopFeed(group);
                flowEndedNs = System.nanoTime();
            }
            endContainerFaults(outside);
            instruments.onFlowEnded(group.child(Deployment.SERVICE).isAlive());
            Seen seen = windDown(group, outside);
            if (seen.subscribers().stream().anyMatch(ServiceReport::servesData)) {
                instruments.onProcessesEnding();
            }
            instruments.stop();
            return new Observed(seen, timeline.events(), instruments);
        }
    }

    private record Seen(
            @Nullable ExchangeRecord exchange,
            List<ServiceReport> subscribers,
            @Nullable CustomersReport customers,
            Map<String, FaultRecord> outsideFaults) {}

    private record Observed(Seen seen, List<TimelineEvent> timeline, RunInstruments instruments) {}

    private void flow(
            ProcessGroup group,
            RunTimeline timeline,
            RunInstruments instruments,
            ExternalFaults outside,
            DeploymentEnvironment environment,
            Inspector inspector)
            throws InterruptedException {
        try {
            group.awaitAll(group.all(), ProcessEvent.Ready.class, START_TIMEOUT_NS, cancellation);
            group.all().forEach(this::reportReady);
            connectCustomers(group);
            troubles.addAll(
                    plan.settings().missing(group.child(Deployment.SERVICE).pid()));
            group.awaitAll(group.subscribers(), ProcessEvent.Image.class, START_TIMEOUT_NS, cancellation);
            ThreadPins.apply(plan.placement().pins(), group.all());
            instruments.attach(group);
            outside.launch(group);
            launched = outside;
            settle(group);
            environment.onSettled();
            flowBeganNs = System.nanoTime();
            instruments.countFrom(countedFromNs());
            inspector.observe(group.pids(), Deployment.SERVICE, countedFromNs());
            StallAnnouncer stalls = new StallAnnouncer(flowBeganNs, countedFromNs());
            timeline.addListener(stalls);
            group.exchange().command(ControlCommand.START);
            outside.onFlowStarted();
            environment.onFlowStarted();
            if (!plan.placement().isSealed()) {
                liveFaults = LiveFaults.open(plan, group, outside, countedFromNs());
            }
            listener.onFlowStarted();
            new FlowMonitor(group, listener, stalls, cancellation).awaitComplete(scenario.quietNs(plan));
        } catch (LabException e) {
            troubles.add(String.valueOf(e.getMessage()));
        } finally {
            flowEndedNs = System.nanoTime();
            endInjections();
        }
    }

    /** Ends the faults that commands have injected while the processes still live. */
    private void endInjections() {
        LiveFaults live = liveFaults;
        if (live != null) {
            live.close();
        }
    }

    private void endContainerFaults(ExternalFaults outside) {
        try {
            outside.onFlowEnded();
        } catch (LabException e) {
            troubles.add(String.valueOf(e.getMessage()));
        }
    }

    /** Puts on the timeline how processes ended that should have lived until the end of the flow. */
    private void reportEnds(ProcessGroup group, RunTimeline timeline) {
        for (ChildProcess child : group.all()) {
            if (!child.isAlive()) {
                timeline.onEvent(new HostEvent.Ended(flowEndedNs, child.name(), child.endedHow()));
            }
        }
    }

    /** Collects the garbage of start-up and instruments now, rather than while traffic flows. */
    private void settle(ProcessGroup group) throws InterruptedException {
        group.all().forEach(child -> child.command(ControlCommand.SETTLE));
        group.awaitAll(group.all(), ProcessEvent.Settled.class, START_TIMEOUT_NS, cancellation);
    }

    /** Tells the customers where the servers are. */
    private void connectCustomers(ProcessGroup group) {
        ChildProcess customers = group.customers();
        if (customers == null) {
            return;
        }
        Map<String, ServedAt> servers = new LinkedHashMap<>();
        for (ChildProcess child : group.all()) {
            ProcessEvent.Ready ready = child.latest(ProcessEvent.Ready.class);
            ServedAt served = ready == null ? null : ready.served();
            if (served != null) {
                servers.put(child.name(), served);
            }
        }
        customers.connect(servers);
    }

    /** Lets the customers read all that there is, and takes their final report while their servers still live. */
    private @Nullable CustomersReport endCustomers(ProcessGroup group) throws InterruptedException {
        ChildProcess customers = group.customers();
        if (customers == null) {
            return null;
        }
        if (flowBeganNs != Long.MAX_VALUE && troubles.isEmpty()) {
            customers.await(ProcessEvent.Complete.class, FINAL_REPORT_TIMEOUT_NS);
        }
        customers.command(ControlCommand.CLOSE);
        return finalReport(customers, CustomersReport.class);
    }

    private void reportReady(ChildProcess child) {
        ProcessEvent.Ready ready = child.latest(ProcessEvent.Ready.class);
        Integer granted = ready == null ? null : ready.grantedReceiveBufferBytes();
        listener.onReady(child.name(), child.pid(), granted == null ? 0 : granted);
    }

    /**
     * Stops the exchange, which sends the trailer if it has not, and then the subscribers when they have it, or time is up. Without a flow there
     * is no trailer to wait for.
     */
    private Seen windDown(ProcessGroup group, ExternalFaults outside) throws InterruptedException {
        stopFeed(group);
        CustomersReport customers = endCustomers(group);
        List<ServiceReport> reports = new ArrayList<>();
        List<ChildProcess> survivors = group.survivors();
        for (ChildProcess subscriber : survivors) {
            subscriber.command(ControlCommand.CLOSE);
        }
        for (ChildProcess subscriber : survivors) {
            ServiceReport report = finalReport(subscriber, ServiceReport.class);
            if (report != null) {
                reports.add(sinceWarmUp.of(report));
            }
        }
        group.exchange().command(ControlCommand.CLOSE);
        ExchangeRecord exchange = finalReport(group.exchange(), ExchangeRecord.class);
        long published =
                exchange == null ? publishedAtLeast(group) : exchange.sent().published();
        reports.replaceAll(report -> report.with(subscriber -> subscriber.ofPublished(published)));
        return new Seen(exchange, reports, customers, outside.reports());
    }

    /** Lets the exchange send the trailer, and waits until the subscribers have it. */
    private void stopFeed(ProcessGroup group) throws InterruptedException {
        if (isFeedStopped) {
            return;
        }
        isFeedStopped = true;
        listener.onWindingDown("ending the processes");
        if (flowBeganNs == Long.MAX_VALUE) {
            return;
        }
        group.exchange().command(ControlCommand.STOP);
        if (group.exchange().await(ProcessEvent.Done.class, FINAL_REPORT_TIMEOUT_NS) != null) {
            for (ChildProcess subscriber : group.survivors()) {
                subscriber.await(ProcessEvent.Complete.class, FINAL_REPORT_TIMEOUT_NS);
            }
        }
    }

    /** Returns the number of published events in the last progress report of the exchange. */
    private static long publishedAtLeast(ProcessGroup group) {
        ProcessEvent.Progress progress = group.exchange().latest(ProcessEvent.Progress.class);
        return progress == null ? 0 : progress.as(ExchangeRecord.class).sent().published();
    }

    private <T> @Nullable T finalReport(ChildProcess child, Class<T> type) throws InterruptedException {
        ProcessEvent.Closed closed = child.await(ProcessEvent.Closed.class, FINAL_REPORT_TIMEOUT_NS);
        takeTrouble(child);
        if (closed == null) {
            troubles.add(child.name() + " exited without a final report");
            return null;
        }
        return closed.as(type);
    }

    /** Adds a failure that a process may report as late as at its close. */
    private void takeTrouble(ChildProcess child) {
        ProcessEvent.Failed failed = child.latest(ProcessEvent.Failed.class);
        if (failed != null) {
            String trouble = child.name() + ": " + failed.message();
            if (!troubles.contains(trouble)) {
                troubles.add(trouble);
            }
        }
    }

    /** A journal of another feed than the exchange sent is not this run's. */
    private @Nullable Verification verify(@Nullable ExchangeRecord exchange) {
        Path journal = plan.journalDirectory();
        if (!Files.isDirectory(journal)) {
            return null;
        }
        try {
            String feedId = exchange == null ? null : exchange.intake().feedId();
            return JournalVerifier.verify(journal, feedId == null ? FeedId.UNKNOWN : FeedId.parse(feedId));
        } catch (JournalException e) {
            troubles.add(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private long countedFromNs() {
        return flowBeganNs == Long.MAX_VALUE ? flowBeganNs : flowBeganNs + scenario.warmUpNs(plan);
    }

    /** Returns the viewers that look at something beside the samples and events. */
    private <T> List<T> viewers(Class<T> kind) {
        return viewers.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private void take(RunTimeline timeline, KeptBooks books, String process, ProcessEvent event) {
        if (event instanceof ProcessEvent.BooksSeen seen) {
            books.onBooks(seen.books());
            return;
        }
        if (event instanceof ProcessEvent.Progress progress) {
            paces.onProgress(process, progress);
        }
        timeline.accept(process, event);
        ExternalFaults outside = launched;
        if (outside != null) {
            outside.onEvent(process, event);
        }
        if (event.atNs() - countedFromNs() < 0) {
            sinceWarmUp.accept(process, event);
        }
        if (event instanceof ProcessEvent.OnTimeline && !process.equals(Deployment.EXCHANGE)) {
            if (!events.offer(new ReportedEvent(process, event))) {
                unkept.add("the verdict uses only the first " + MAX_EVENTS + " events of the processes");
            }
        }
    }
}
