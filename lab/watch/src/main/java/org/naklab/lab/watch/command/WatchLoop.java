package org.naklab.lab.watch.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.instruments.aeron.AeronUnit;
import org.naklab.lab.instruments.aeron.UnitMember;
import org.naklab.lab.instruments.threads.StandstillClaims;
import org.naklab.lab.instruments.watch.IncidentRecorder;
import org.naklab.lab.instruments.watch.Watch;
import org.naklab.lab.instruments.watch.WindowDirectories;
import org.naklab.lab.records.Stall;
import org.naklab.lab.terminal.ProgramFailure;
import org.naklab.lab.terminal.live.LiveView;
import org.naklab.lab.watch.WatchDocuments;
import org.naklab.lab.watch.WatchFindings;
import org.naklab.lab.watch.WatchSummary;

/** Watches processes: attaches to those that are named, or that start later, until they have ended or it is told to stop. One thread. */
final class WatchLoop {
    /** Each look costs the processors of what is watched, and nobody reads faster. */
    private static final long LOOK_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long FIND_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final WatchConsole console;
    private final Cancellation cancellation;
    private final WatchDocuments documents;
    private final @Nullable TargetFinder finder;
    private final @Nullable Recordings recordings;
    private final @Nullable WindowHook hook;
    private final boolean isUntilRecorded;
    private final MetricsOption.Session metrics;
    private final LiveView view;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final StandstillClaims claims = new StandstillClaims();
    private final List<WatchSession> sessions = new ArrayList<>();
    private final Set<Long> refused = new HashSet<>();
    private final List<Closing> closings = new ArrayList<>();
    private long nextFindNs = System.nanoTime();

    /** A session that has ended, with what it found. */
    private record Closing(WatchSession session, WatchFindings findings) {}

    /**
     * Creates the loop.
     *
     * @param finder finds processes that start; {@code null}: only those that are added are watched
     * @param recordings of the windows; {@code null}: nothing is recorded
     * @param isUntilRecorded whether it ends when all windows were written
     * @param hook runs for each window; {@code null}: none
     * @param metrics served while it runs
     * @param view shown while it runs
     */
    WatchLoop(
            WatchConsole console,
            Cancellation cancellation,
            WatchDocuments documents,
            @Nullable TargetFinder finder,
            @Nullable Recordings recordings,
            boolean isUntilRecorded,
            @Nullable WindowHook hook,
            MetricsOption.Session metrics,
            LiveView view) {
        this.console = console;
        this.cancellation = cancellation;
        this.documents = documents;
        this.finder = finder;
        this.recordings = recordings;
        this.isUntilRecorded = isUntilRecorded;
        this.hook = hook;
        this.metrics = metrics;
        this.view = view;
    }

    /** A signal ends the waits of attaching, each of which may be long: what was not attached by then has seen nothing. */
    private void add(WatchTarget target) {
        if (cancellation.isRequested()) {
            return;
        }
        try {
            cancellation.interruptibly(() -> attach(target));
        } catch (DetectException e) {
            if (!cancellation.isRequested()) {
                throw e;
            }
            console.print("process " + target.pid() + " is not watched: attaching was interrupted");
        }
    }

    private void attach(WatchTarget target) {
        WindowDirectories directories = recordings == null ? null : recordings.of(target);
        WatchSession session = WatchSession.attach(
                target,
                claims,
                directories,
                console,
                metrics,
                view.open(),
                error -> failure.compareAndSet(null, error));
        sessions.add(session);
        console.begin(
                session.title(), session.watch().describe(), session.watch().missing());
        if (!target.isClient()) {
            metrics.observe(session.watch(), target.pid()).ifPresent(console::print);
        }
    }

    /** Arms the recorders when no process has been attached to any more: attaching to one delays the others. */
    private void arm() {
        for (WatchSession session : sessions) {
            WindowDirectories directories = session.directories();
            if (session.arm() && directories != null) {
                console.print(
                        directories.windows() == 1
                                ? "the first rise, drop or NAK" + WatchCommand.RECORDED_IN + directories.directory()
                                : "the first " + directories.windows() + " rises, drops or NAKs"
                                        + WatchCommand.RECORDED_IN + directories.directory());
            }
        }
    }

    /**
     * Watches until the end.
     *
     * @param targets the processes to begin with
     * @param lengthNs how long to watch at most once it is attached, ns
     * @return what was found
     * @throws DetectException one of these processes cannot be watched
     */
    WatchOutcome run(Collection<WatchTarget> targets, long lengthNs) throws IOException, InterruptedException {
        try {
            targets.forEach(this::add);
            long endNs = System.nanoTime() + lengthNs;
            while (!isOver() && System.nanoTime() - endNs < 0) {
                int attached = sessions.size();
                long lookedNs = System.nanoTime();
                find();
                if (sessions.size() == attached) {
                    arm();
                } else {
                    // Attaching to a JVM may take longer than the watch is to last.
                    endNs += System.nanoTime() - lookedNs;
                }
                look();
                LockSupport.parkNanos(LOOK_PERIOD_NS);
            }
        } finally {
            List.copyOf(sessions).forEach(this::end);
        }
        console.printAll();
        console.endLive();
        closings.forEach(this::summarise);
        summariseUnit();
        if (closings.isEmpty()) {
            console.print("nothing was watched: no such process has started");
        }
        if (hook != null) {
            hook.await().forEach(console::print);
        }
        Throwable error = failure.get();
        if (error != null) {
            throw new IllegalStateException("an instrument failed", error);
        }
        return WatchOutcome.of(closings.stream().map(Closing::findings).toList());
    }

    /** Returns what an instrument failed of, or any thread of the lab; {@code null}: none has. */
    private @Nullable Throwable failure() {
        Throwable ofInstrument = failure.get();
        return ofInstrument == null ? ProgramFailure.ofThread() : ofInstrument;
    }

    private boolean isOver() {
        boolean isRecorded = isUntilRecorded && recordings != null && recordings.isComplete(sessions);
        return (finder == null && sessions.isEmpty())
                || isRecorded
                || console.isUnread()
                || failure() != null
                || cancellation.isRequested();
    }

    private void find() throws IOException {
        if (finder == null || System.nanoTime() - nextFindNs < 0) {
            return;
        }
        for (WatchTarget target : finder.find()) {
            boolean isWatched = sessions.stream().anyMatch(session -> session.pid() == target.pid());
            if (!isWatched && !refused.contains(target.pid())) {
                tryToAdd(target);
            }
        }
        nextFindNs = System.nanoTime() + FIND_PERIOD_NS;
    }

    private void tryToAdd(WatchTarget target) {
        try {
            add(target);
        } catch (DetectException e) {
            refused.add(target.pid());
            console.print("process " + target.pid() + " is not watched: " + e.getMessage());
        }
    }

    private void look() {
        long lookedNs = System.nanoTime();
        long toldNs = sessions.stream()
                .mapToLong(session -> session.watch().toldNs(lookedNs))
                .min()
                .orElse(lookedNs);
        for (WatchSession session : List.copyOf(sessions)) {
            printNews(session);
            tellCauses(session);
            session.takeBlindness(System.nanoTime()).forEach(console::print);
            session.takeForecasts().forEach(console::print);
            session.makeRoom(System.nanoTime());
            if (session.hasEnded()) {
                end(session);
                console.printEnded();
                if (finder != null) {
                    console.print(session.title() + " has ended; waiting for the next");
                }
            }
        }
        console.printDue(toldNs);
        console.refresh(() -> sessions.stream().map(WatchSession::shown).toList());
        if (hook != null) {
            hook.takeFailures().forEach(console::print);
        }
    }

    /** The causes of stalls, and what a larger buffer would have done, are told when their records have come in, not only at the end of a watch that may last for days. */
    private void tellCauses(WatchSession session) {
        tellStalls(session);
        long nowNs = System.nanoTime();
        session.buffers()
                .takeNews(nowNs, session.watch().toldNs(nowNs), WatchSummary::allowedBytes)
                .forEach(console::print);
    }

    private void tellStalls(WatchSession session) {
        for (WatchSession.JudgedStall judged : session.takeStalls(System.nanoTime())) {
            Stall stall = judged.stall();
            console.printCause(stall, judged.confidence());
            view.onStall(stall);
            if (metrics.isServed() && !session.target().isClient()) {
                metrics.onStall(session.pid(), stall);
            }
        }
    }

    private void printNews(WatchSession session) {
        session.takeTrip().map(WatchLoop::words).ifPresent(trip -> console.print("recorder tripped by " + trip));
        for (IncidentRecorder.Window window : session.takeWindows()) {
            keep(session, window);
        }
    }

    private static String words(TimelineEvent trip) {
        return WatchDocuments.words(trip);
    }

    private void keep(WatchSession session, IncidentRecorder.Window window) {
        WatchFindings findings = session.findings(window).orElseGet(session::findings);
        WindowDirectories directories = session.directories();
        boolean isLast = directories == null || !directories.hasMore();
        documents.write(session.watch(), session.title(), window, findings).ifPresent(console::print);
        console.print("window written to " + window.directory() + (isLast ? "; recording has ended" : ""));
        console.print("  " + findings.diagnosis().cause().label() + ", "
                + findings.diagnosis().confidence().label() + "; naklab report " + window.directory());
        session.watch().recorder().ifPresent(recorder -> recorder.missing()
                .forEach(line -> console.print("  missing: " + line)));
        if (hook != null) {
            hook.start(session.pid(), window, findings).ifPresent(console::print);
        }
    }

    private void end(WatchSession session) {
        sessions.remove(session);
        session.close(failure());
        tellStalls(session);
        printNews(session);
        for (IncidentRecorder.Window window : session.windows()) {
            session.findings(window)
                    .flatMap(findings -> documents.write(session.watch(), session.title(), window, findings))
                    .ifPresent(console::print);
        }
        WatchFindings findings = session.findings();
        closings.add(new Closing(session, findings));
        metrics.end(session.pid());
    }

    private void summarise(Closing closing) {
        boolean isRecorded = closing.session()
                .watch()
                .recorder()
                .filter(recorder -> !recorder.windows().isEmpty())
                .isPresent();
        WindowDirectories directories = closing.session().directories();
        if (directories != null && !isRecorded) {
            console.print("the recorder was not tripped: no window in " + directories.directory());
        }
        console.print(closing.session().title() + ":");
        List<String> buffers = closing.session().buffers().lines(WatchSummary.allowedBytes());
        WatchSummary.lines(closing.findings(), buffers).forEach(line -> console.print("  " + line));
        closing.session().dropped().ifPresent(line -> console.print("  " + line));
        Watch watch = closing.session().watch();
        console.summarise(closing.session().target(), watch.sockets(), watch.subscriptions(), watch.statistics());
        console.printSafepoints(watch.safepoints());
    }

    /** Says who stood still, if a media driver and its clients were watched as a unit. */
    private void summariseUnit() {
        Optional<AeronUnit> unit = closings.stream()
                .map(closing -> closing.session().target().member())
                .flatMap(Stream::ofNullable)
                .map(UnitMember::unit)
                .findFirst();
        if (unit.isPresent()) {
            UnitSummary summary = new UnitSummary(unit.orElseThrow().directory().toString());
            closings.forEach(closing -> summary.add(
                    closing.session().target(),
                    closing.findings().standstills().stalls(),
                    closing.session()::isUnpolled));
            summary.lines().forEach(console::print);
        }
    }
}
