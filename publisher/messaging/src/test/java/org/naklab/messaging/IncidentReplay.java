package org.naklab.messaging;

import io.aeron.logbuffer.ControlledFragmentHandler;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.messaging.publication.ContextPublication;
import org.naklab.messaging.publication.DatagramSink;

/**
 * The last table of INCIDENT.md on a clock of its own: one thread turns the duty cycles of a sender and two receivers, so
 * that real sockets overflow but the machine's other load has no say. A message a datagram, 30,000 a second; sockets of
 * 128 KiB; one receiver gets no duty cycle for 150 ms.
 */
final class IncidentReplay implements AutoCloseable {
    static final int MESSAGES_PER_SECOND = 30_000;
    private static final long STEP_NS = TimeUnit.SECONDS.toNanos(1) / MESSAGES_PER_SECOND;
    private static final int STALL_STEPS = (int) (TimeUnit.MILLISECONDS.toNanos(150) / STEP_NS);
    private static final int CYCLES_PER_STEP = 4;
    private static final int MAX_STEPS = 60 * MESSAGES_PER_SECOND;

    final PumpedReceiver stalled;
    final PumpedReceiver other;
    final MessagingContext sender;
    private final ContextPublication publication;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[Sender.MESSAGE_LENGTH]);
    private long nowNs = TimeUnit.SECONDS.toNanos(1);
    private int stallUntilStep;
    private int steps;
    long sent;

    IncidentReplay(Contexts contexts, TransportProfile profile) {
        stalled = new PumpedReceiver(settings(contexts, "stalled", profile));
        other = new PumpedReceiver(settings(contexts, "other", profile));
        sender = MessagingContext.launch(settings(contexts, "sender", profile));
        publication = sender.addPublication(Topic.ORDER_BOOK_EVENTS, null);
        runUntil(() -> publication.isConnected() && stalled.hasImage && other.hasImage);
    }

    /** Sends at the rate for some time; what the transport does not take is offered again in the next step. */
    void send(int messages) {
        long end = sent + messages;
        runUntil(() -> {
            message.putLong(0, sent);
            if (publication.offer(message, 0, Sender.MESSAGE_LENGTH).accepted()) {
                sent++;
            }
            return sent == end;
        });
    }

    void stallFor150Ms() {
        stallUntilStep = steps + STALL_STEPS;
    }

    void awaitRepair() {
        runUntil(() -> stalled.received == sent && other.received == sent);
    }

    /** Milliseconds on the replay's clock. */
    long elapsedMs() {
        return steps * STEP_NS / 1_000_000;
    }

    @Override
    public void close() {
        sender.close();
        stalled.context.close();
        other.context.close();
    }

    private void runUntil(BooleanSupplier isDone) {
        int lastStep = steps + MAX_STEPS;
        do {
            step();
            if (steps > lastStep) {
                throw new AssertionError("not done within a minute of the replay's time: sent " + sent + ", received "
                        + stalled.received + " and " + other.received);
            }
        } while (!isDone.getAsBoolean());
    }

    private void step() {
        steps++;
        nowNs += STEP_NS;
        for (int cycle = 0; cycle < CYCLES_PER_STEP; cycle++) {
            doWork(sender);
            doWork(other.context);
            if (steps >= stallUntilStep) {
                doWork(stalled.context);
            }
        }
    }

    private static void doWork(MessagingContext context) {
        try {
            context.agent().doWork();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private MessagingContext.Context settings(Contexts contexts, String name, TransportProfile profile) {
        return contexts.named(name, profile)
                .nanoClock(() -> nowNs)
                .receiveBufferBytes(Contexts.SMALL_BUFFER_BYTES)
                .mtuBytes(Topic.ORDER_BOOK_EVENTS, DatagramSink.wireBytes(Sender.MESSAGE_LENGTH));
    }

    /** Checks that numbers come in order; a thread of its own it has not. */
    static final class PumpedReceiver implements ContextListener {
        final MessagingContext context;
        long received;
        boolean hasImage;

        PumpedReceiver(MessagingContext.Context settings) {
            context = MessagingContext.launch(settings.listener(this));
            context.addSubscription(Topic.ORDER_BOOK_EVENTS, (buffer, offset, length, header) -> {
                if (buffer.getLong(offset) != received) {
                    throw new AssertionError("expected " + received + ", got " + buffer.getLong(offset));
                }
                received++;
                return ControlledFragmentHandler.Action.CONTINUE;
            });
        }

        @Override
        public void onImageAvailable(Topic topic, int sessionId, long timeNs) {
            hasImage = true;
        }
    }
}
