package org.naklab.lab.replica.child;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultCommands;
import org.naklab.lab.process.ControlChannel;
import org.naklab.lab.process.ControlCommand;
import org.naklab.lab.process.ControlLine;
import org.naklab.lab.process.ProcessEvent;

/**
 * A process's main loop: takes the lab's commands, tells it what happens. When the lab is no more, the process waits for what
 * is under way, closes in order, and ends.
 */
final class ControlLoop {
    private static final long TICK_MS = 10;
    private static final long REPORT_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long NO_PROGRESS_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long END_TIMEOUT_MS = 20_000;
    private static final int EXIT_STUCK = 3;
    /** Groups: the number of the request, and the command. */
    private static final Pattern REQUEST = Pattern.compile("(\\d{1,18}) (.+)");

    private final ControlChannel link;
    private final ContextEventReporter watch;
    private final ReplicaRole replica;
    private final CountDownLatch ended = new CountDownLatch(1);
    private boolean imageTold;
    private boolean completeTold;
    private @Nullable Throwable toldFailure;
    private boolean ending;
    private long lastReportNs = System.nanoTime();
    private long lastProgress;
    private long lastProgressNs = System.nanoTime();

    ControlLoop(ControlChannel link, ContextEventReporter watch, ReplicaRole replica) {
        this.link = link;
        this.watch = watch;
        this.replica = replica;
    }

    void run() throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(this::endOnSignal, "end-on-signal"));
        collectOnce();
        link.report(replica.ready());
        boolean open = true;
        while (open) {
            open = accept(link.pollLine(TICK_MS));
            report();
        }
        replica.close();
        watch.report(link);
        replica.report(link);
        reportFailure();
        link.report(ProcessEvent.Closed.of(replica.report()));
        ended.countDown();
    }

    /** Collects garbage, so that the objects of the start-up leave the young generation now and cause no pause while traffic flows. */
    private static void collectOnce() {
        System.gc();
    }

    /** @return whether to go on */
    private boolean accept(@Nullable ControlLine line) {
        if (line != null) {
            if (line.command() == ControlCommand.CLOSE) {
                return false;
            }
            obey(line);
        }
        return !ending || !isIdle();
    }

    private void obey(ControlLine line) {
        switch (line.command()) {
            case FAULT -> obeyFaultCommand(line.rest());
            case CONNECT -> replica.connect(line.rest());
            case START -> replica.start();
            case SETTLE -> {
                collectOnce();
                replica.settle();
                link.report(ProcessEvent.Settled.now());
            }
            case STOP -> replica.stop();
            case END -> endOnce();
            default -> {
                // A tool's.
            }
        }
    }

    /** The first word is the number of the request; 0 is nobody's. */
    private void obeyFaultCommand(String numbered) {
        Matcher matcher = REQUEST.matcher(numbered);
        boolean isRequest = matcher.matches();
        link.report(ProcessEvent.FaultAnswered.now(
                isRequest ? Long.parseLong(matcher.group(1)) : 0,
                isRequest
                        ? replica.obeyFaultCommand(matcher.group(2))
                        : FaultCommands.refusal("no number of a request and command of a fault: '" + numbered + "'")));
    }

    private void endOnce() {
        if (!ending) {
            ending = true;
            lastProgressNs = System.nanoTime();
            replica.stop();
            haltWhenStuck();
        }
    }

    private boolean isIdle() {
        long progress = replica.progress();
        long nowNs = System.nanoTime();
        if (progress != lastProgress) {
            lastProgress = progress;
            lastProgressNs = nowNs;
        }
        return replica.mayEnd() || nowNs - lastProgressNs > NO_PROGRESS_NS;
    }

    private void report() {
        watch.report(link);
        replica.report(link);
        if (!imageTold && watch.imageSeen()) {
            imageTold = true;
            link.report(ProcessEvent.Image.now());
        }
        reportFailure();
        boolean complete = replica.isComplete();
        long nowNs = System.nanoTime();
        if (nowNs - lastReportNs >= REPORT_INTERVAL_NS || (complete && !completeTold)) {
            lastReportNs = nowNs;
            link.report(ProcessEvent.Progress.of(replica.report()));
        }
        if (complete && !completeTold) {
            completeTold = true;
            link.report(replica.completion());
        }
    }

    /** Closing can fail too: what could not be forced to disk is told before the final report. */
    private void reportFailure() {
        Throwable failure = replica.failure();
        if (failure != null && failure != toldFailure) {
            toldFailure = failure;
            link.report(ProcessEvent.Failed.of(failure));
        }
    }

    private void endOnSignal() {
        link.requestEnd();
        try {
            ended.await(END_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Nobody is left to kill a process that does not come to its end. */
    private void haltWhenStuck() {
        Thread thread = new Thread(
                () -> {
                    try {
                        if (!ended.await(END_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
                            Runtime.getRuntime().halt(EXIT_STUCK);
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "halt-when-stuck");
        thread.setDaemon(true);
        thread.start();
    }
}
