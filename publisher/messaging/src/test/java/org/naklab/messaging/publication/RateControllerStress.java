package org.naklab.messaging.publication;

import java.util.concurrent.locks.ReentrantLock;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A sender goes over the budget while the context ends the interval. The results: what the sender was told (0 sent, 1 queued),
 * and how many messages are out after the next duty cycle of the same interval.
 */
@JCStressTest
@Outcome(id = "0, 2", expect = Expect.ACCEPTABLE, desc = "The sender saw the new interval.")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "The end of the interval sent what was queued.")
@Outcome(id = "1, 1", expect = Expect.FORBIDDEN, desc = "What was queued waits for another interval.")
@State
public class RateControllerStress {
    private static final int PAYLOAD_BYTES = 32;
    private static final long INTERVAL_NS = 1_000;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[PAYLOAD_BYTES]);
    private int sent;
    private final RateController controller;

    public RateControllerStress() {
        DatagramSink sink = new DatagramSink() {
            @Override
            public SendResult send(DirectBuffer buffer, int offset, int length) {
                sent++;
                return SendResult.SENT;
            }

            @Override
            public boolean isConnected() {
                return true;
            }
        };
        long bitsPerSecond = DatagramSink.wireBytes(PAYLOAD_BYTES) * 8L * (1_000_000_000L / INTERVAL_NS);
        controller = new RateController(
                sink,
                PAYLOAD_BYTES,
                new RateLimit(bitsPerSecond, INTERVAL_NS),
                new ReentrantLock(),
                () -> 0,
                () -> {},
                new RateListener() {});
        controller.offer(message, 0, PAYLOAD_BYTES);
    }

    @Actor
    public void sender(II_Result result) {
        result.r1 = controller.offer(message, 0, PAYLOAD_BYTES) == SendResult.QUEUED ? 1 : 0;
    }

    @Actor
    public void context() {
        controller.poll(INTERVAL_NS);
    }

    @Arbiter
    public void nextDutyCycle(II_Result result) {
        controller.poll(INTERVAL_NS + 1);
        result.r2 = sent;
    }
}
