package org.naklab.lab.replica.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.Journal;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.books.BookView;
import org.naklab.lab.core.pace.ProcessPace;
import org.naklab.lab.instruments.linux.CgroupPaths;
import org.naklab.lab.instruments.threads.DutyCycleTracker;
import org.naklab.lab.instruments.threads.TimedFragmentHandler;
import org.naklab.lab.process.ControlChannel;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.process.ProcessEvent.PreTouched;
import org.naklab.lab.process.Role;
import org.naklab.lab.records.SubscriberRecord;
import org.naklab.lab.records.TransportRecord;
import org.naklab.lab.replica.child.ContextEventReporter;
import org.naklab.lab.replica.child.ReplicaMain;
import org.naklab.lab.replica.child.ReplicaRole;
import org.naklab.lab.replica.customers.Serving;
import org.naklab.lab.replica.latency.Latencies;
import org.naklab.lab.replica.transport.Transport;
import org.naklab.lab.replica.transport.TransportConfig;
import org.naklab.lab.replica.transport.TransportRecords;
import org.naklab.messaging.MessagingContext;
import org.naklab.messaging.Topic;
import org.naklab.messaging.feed.FeedId;
import org.naklab.messaging.latency.LatencyIntervals;
import org.naklab.messaging.publication.RateLimit;
import org.naklab.messaging.publication.YieldStrategy;
import org.naklab.subscriber.MarketDataService;
import org.naklab.subscriber.ServiceCounters;
import org.naklab.subscriber.ServiceRole;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Main class of the processes of the market data service and of the gateways. */
public final class ServiceProcess implements ReplicaRole {
    /** The directory of the surveillance and CSV files, beside the journal. */
    private static final String DERIVED = "derived";

    private static final Logger LOGGER = LoggerFactory.getLogger(ServiceProcess.class);

    private final ServiceConfig config;
    private final MarketDataService service;
    private final LatencyIntervals latencies;
    private final ServiceFaults faults;
    private final @Nullable PreTouched preTouched;
    private final @Nullable ContainerPressure container;
    private final @Nullable MemoryAccountant memory;
    private final DutyCycleTracker heartbeat;
    private final @Nullable Serving serving;
    private final ViewedSnapshots snapshots;
    private final @Nullable ReferenceData reference;
    private final ResourceAccountant resources = new ResourceAccountant();
    private boolean isAccounted;
    private boolean isDerivedLossReported;
    private boolean isClosed;
    private final SymbolBindReporter binds = SymbolBindReporter.ofProcess();

    private ServiceProcess(
            ServiceConfig config,
            MarketDataService service,
            ServiceFaults faults,
            @Nullable PreTouched preTouched,
            DutyCycleTracker heartbeat,
            @Nullable Serving serving,
            ViewedSnapshots snapshots,
            @Nullable ReferenceData reference) {
        this.reference = reference;
        this.heartbeat = heartbeat;
        this.serving = serving;
        this.snapshots = snapshots;
        this.config = config;
        this.service = service;
        latencies = new LatencyIntervals(service.latency().book().dueToBook());
        this.faults = faults;
        this.preTouched = preTouched;
        MemoryConstraint constraint = config.constraint();
        memory = config.memoryAccounted() && config.journalDirectory() != null
                ? new MemoryAccountant(Path.of(config.journalDirectory()))
                : null;
        container = constraint == null ? null : new ContainerPressure(constraint, config.journalDirectory());
    }

    public static void main(String[] arguments) {
        ReplicaMain.run(
                arguments, ServiceConfig.class, config -> config.transport().name(), ServiceProcess::launch);
    }

    private static ReplicaRole launch(ServiceConfig config, ContextEventReporter watch) {
        config.controlGroups().forEach(group -> CgroupPaths.join(Path.of(group)));
        TransportConfig transport = config.transport();
        MessagingContext.Context messaging = Transport.contextOf(transport, watch);
        MessagingContext.Context snapshots = config.tuning().ownContext()
                ? Transport.snapshotContextOf(
                        transport, watch.ofContext(MarketDataService.Context.snapshotContextName(transport.name())))
                : messaging;
        ServiceFaults faults = ServiceFaults.launch(transport.name(), config.faultPlan());
        PreTouched preTouched = preTouched(config.tuning());
        DutyCycleTracker heartbeat = DutyCycleTracker.create(
                DutyCycleFile.of(transport.aeronDirectory()), DutyCycleTracker.DEFAULT_THRESHOLD_NS);
        ReferenceData reference = ReferenceData.launch(config.referenceData());
        CachedNanoClock receiptClock = new CachedNanoClock();
        DutyCycleReporter beat = new DutyCycleReporter(heartbeat);
        messaging.dutyCycleListener(faults.obstruct(beat));
        MarketDataService.Context context = new MarketDataService.Context()
                .name(transport.name())
                .role(config.role() == Role.SERVICE ? ServiceRole.SERVICE : ServiceRole.GATEWAY)
                .messagingContext(messaging)
                .ringSize(config.ringSlots())
                .latencyWarmUpNs(config.warmUpNs())
                .idleStrategySupplier(transport.idle()::newStrategy)
                .snapshotRateMode(config.rateLimiting())
                .snapshotRateLimit(new RateLimit(config.snapshotBitsPerSecond(), config.rateIntervalNs()))
                .receiptClock(receiptClock)
                .feedHandlerDecorator(handler -> new TimedFragmentHandler(
                        faults.obstruct(reference == null ? handler : reference.readBefore(handler)),
                        SystemNanoClock.INSTANCE,
                        heartbeat,
                        receiptClock))
                .errorHandler(error -> LOGGER.error("the service failed", error));
        faults.install(messaging, snapshots, context, watch);
        if (config.tuning().withoutYield()) {
            snapshots.yieldStrategy(YieldStrategy.none());
        }
        if (config.tuning().ownContext()) {
            context.snapshotContext(snapshots);
        }
        if (config.role() == Role.SERVICE) {
            String directory = Objects.requireNonNull(config.journalDirectory(), "a service needs a journal directory");
            Path journal = Path.of(directory);
            context.journalContext(new Journal.Context()
                    .directory(journal)
                    .pageCachePolicy(config.tuning().journalPages()));
            if (config.constraint() == null) {
                // Memory is not constrained: the files would take page cache and disk whose shortage is part of the
                // experiment.
                context.derivedDirectory(journal.resolveSibling(DERIVED));
            }
        }
        Serving serving = Serving.launch(transport.name(), config.serving());
        if (serving != null) {
            context.appliedEventListener(serving.listener());
        }
        ViewedSnapshots viewed = new ViewedSnapshots(SystemNanoClock.INSTANCE);
        if (transport.name().equals(ProcessNames.GATEWAY)) {
            context.snapshotListener(viewed);
        }
        MarketDataService service = MarketDataService.launch(context);
        beat.observe(service.counters());
        return new ServiceProcess(config, service, faults, preTouched, heartbeat, serving, viewed, reference);
    }

    private static @Nullable PreTouched preTouched(ServiceTuning tuning) {
        if (tuning.preTouch()) {
            return SymbolPreTouch.make();
        }
        return tuning.lockPages() ? SymbolPreTouch.lock() : null;
    }

    @Override
    public void report(ControlChannel link) {
        faults.poll(service.counters().received());
        binds.report(link);
        reportDerivedLoss(link);
        List<BookView> seen = snapshots.take();
        if (!seen.isEmpty()) {
            link.report(new ProcessEvent.BooksSeen(seen.get(0).atNs(), seen));
        }
        if (container != null) {
            container.report(link);
        }
        if (!isAccounted) {
            accountFor(link);
        }
    }

    private void reportDerivedLoss(ControlChannel link) {
        Throwable failure = service.derivedFailure();
        if (failure != null && !isDerivedLossReported) {
            isDerivedLossReported = true;
            link.report(new ProcessEvent.DerivedFilesLost(
                    System.nanoTime(), service.derivedEvents(), String.valueOf(failure.getMessage())));
        }
    }

    private void accountFor(ControlChannel link) {
        if (memory != null) {
            memory.look();
        }
        if (isComplete()) {
            isAccounted = true;
            link.report(resources.account());
            if (memory != null) {
                link.report(memory.account());
            }
        }
    }

    @Override
    public void settle() {
        if (container != null) {
            container.settle();
        }
    }

    @Override
    public String obeyFaultCommand(String line) {
        return faults.execute(line);
    }

    @Override
    public ProcessEvent.Ready ready() {
        resources.onReady();
        int granted = service.messaging().grantedReceiveBufferBytes(Topic.ORDER_BOOK_EVENTS);
        return new ProcessEvent.Ready(
                System.nanoTime(), preTouched, granted, serving == null ? null : serving.servedAt());
    }

    /** Does nothing: a subscriber waits for the feed. */
    @Override
    public void start() {}

    /** Does nothing: the trailer of the feed ends the subscriber. */
    @Override
    public void stop() {}

    @Override
    public ProcessEvent completion() {
        return ProcessEvent.Complete.now();
    }

    @Override
    public boolean isComplete() {
        return service.counters().ended();
    }

    @Override
    public boolean mayEnd() {
        return isComplete();
    }

    @Override
    public @Nullable Throwable failure() {
        return service.failure();
    }

    @Override
    public long progress() {
        return service.counters().received() + service.counters().journaled();
    }

    @Override
    public Object report() {
        ServiceCounters counters = service.counters();
        MessagingContext messaging = service.messaging();
        SubscriberRecord subscriber = new SubscriberRecord(
                config.transport().name(),
                config.role().name(),
                new SubscriberRecord.Events(
                        counters.received(),
                        counters.journaled(),
                        counters.missing(),
                        counters.duplicated(),
                        counters.reordered()),
                new SubscriberRecord.Flow(
                        counters.backPressure(),
                        counters.snapshotsSent(),
                        counters.snapshotsReceived(),
                        counters.blockedSends()),
                new SubscriberRecord.End(
                        counters.digest(), counters.booksDigest(), counters.trailerSeen(), counters.complete()),
                new SubscriberRecord.Intake(
                        messaging.grantedReceiveBufferBytes(Topic.ORDER_BOOK_EVENTS),
                        transport(),
                        service.isJournalForced(),
                        TransportRecords.foreign(messaging.statistics(), counters),
                        FeedId.text(service.feedId())),
                new SubscriberRecord.Effects(
                        faults.reports(),
                        counters.suspectSince(),
                        counters.suspectBookNs() / Units.NS_PER_S,
                        isClosed ? Latencies.figures(service.latency()) : null));
        return new ServiceReport(
                subscriber,
                isClosed ? Latencies.curves(subscriber.name(), service.latency()) : null,
                serving == null ? null : serving.report(),
                isClosed ? null : recent());
    }

    private ServiceReport.Recent recent() {
        LatencyIntervals.Percentiles interval = latencies.next();
        return new ServiceReport.Recent(
                service.counters().applied(),
                new ProcessPace.Latency(
                        interval.count(),
                        interval.p50Ns() / Units.NS_PER_US,
                        interval.p99Ns() / Units.NS_PER_US,
                        interval.p999Ns() / Units.NS_PER_US));
    }

    private TransportRecord transport() {
        TransportRecord received = TransportRecords.of(service.messaging().statistics());
        return config.tuning().ownContext()
                ? received.plus(TransportRecords.of(service.snapshotMessaging().statistics()))
                : received;
    }

    @Override
    public void close() {
        if (container != null) {
            container.close();
        }
        service.close();
        isClosed = true;
        if (serving != null) {
            serving.close();
        }
        faults.close();
        if (reference != null) {
            reference.close();
        }
        heartbeat.close();
        try {
            Files.deleteIfExists(DutyCycleFile.of(config.transport().aeronDirectory()));
            service.messaging().copyLossReport(Path.of(config.lossReportFile()));
        } catch (IOException e) {
            // Evidence that could not be kept; the run's figures do not rest on it.
            LOGGER.warn("the loss report was not kept", e);
        }
    }
}
