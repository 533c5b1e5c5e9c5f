package org.naklab.lab.containers.relay;

import java.util.concurrent.DelayQueue;
import org.naklab.lab.core.Json;
import org.naklab.lab.process.ControlChannel;
import org.naklab.lab.process.ControlCommand;
import org.naklab.lab.process.ProcessEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Main class of the relay's process: it is started in the network namespace of the container whose datagrams it impairs, and
 * ends, its queue empty, when its standard input does.
 */
public final class RelayProcess {
    private static final Logger LOGGER = LoggerFactory.getLogger(RelayProcess.class);

    private static final long TICK_MS = 100;
    /** Ten seconds of a fast feed: what comes beyond it is lost, as in any queue that is full. */
    private static final int MOST_WAITING = 200_000;

    private final Tap tap;
    private final Impairment impairment;
    private final DelayQueue<DelayedFrame> waiting = new DelayQueue<>();

    private RelayProcess(RelayConfig config) {
        tap = Tap.attach(config.device());
        impairment = new Impairment(config);
    }

    public static void main(String[] arguments) throws InterruptedException {
        ControlChannel link = ControlChannel.ofProcess();
        RelayProcess relay = new RelayProcess(Json.fromLine(link.firstLine(), RelayConfig.class));
        relay.startThread("relay-take", relay::take);
        relay.startThread("relay-give", relay::give);
        link.report(ProcessEvent.Ready.now());
        relay.serve(link);
        System.exit(0);
    }

    private void serve(ControlChannel link) throws InterruptedException {
        boolean ending = false;
        while (!ending || !waiting.isEmpty()) {
            ControlCommand command = link.poll(TICK_MS);
            if (command == ControlCommand.REPORT) {
                link.report(ProcessEvent.Report.of(impairment.report()));
            }
            ending |= command == ControlCommand.END;
        }
    }

    /** Starts a thread whose failure ends the relay with a message: otherwise the relay would lose datagrams unnoticed. */
    private void startThread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((failed, failure) -> {
            LOGGER.error("the relay cannot go on", failure);
            Runtime.getRuntime().halt(1);
        });
        thread.start();
    }

    private void take() {
        for (; ; ) {
            byte[] frame = tap.take();
            if (!UdpFrame.isUdp(frame)) {
                continue;
            }
            if (waiting.size() < MOST_WAITING) {
                waiting.addAll(impairment.take(frame, System.nanoTime()));
            } else {
                impairment.refuse();
            }
        }
    }

    private void give() {
        try {
            for (; ; ) {
                DelayedFrame next = waiting.take();
                tap.give(next.frame());
                impairment.given(next, System.nanoTime());
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("a relay is never interrupted", e);
        }
    }
}
