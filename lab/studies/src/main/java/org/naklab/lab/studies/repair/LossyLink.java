package org.naklab.lab.studies.repair;

import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.SetupFlyweight;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.studies.simulation.GapTracker;
import org.naklab.messaging.guard.ReceiveLink;

/**
 * Loses datagrams on the way to a receiver, and measures when what was lost comes in after all. The datagrams of the feed have one size and
 * are numbered by their positions, so each profile loses the same ones.
 */
final class LossyLink implements ReceiveLink {
    private final Socket socket;
    private final int datagramBytes;
    /** Numbers of the datagrams to lose when they first arrive. */
    private final BitSet toLose;

    private final BitSet arrived = new BitSet();
    private final double repeatedLossProbability;
    private final SplittableRandom random;
    private final GapTracker gaps;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private int initialTermId;
    private int termBytes;
    private final AtomicLong lost = new AtomicLong();

    LossyLink(
            Socket socket,
            int datagramBytes,
            BitSet toLose,
            double repeatedLossProbability,
            long seed,
            GapTracker gaps) {
        this.socket = socket;
        this.datagramBytes = datagramBytes;
        this.toLose = toLose;
        this.repeatedLossProbability = repeatedLossProbability;
        this.gaps = gaps;
        random = new SplittableRandom(seed);
    }

    /** Returns how many datagrams were lost, each time counted. Any thread. */
    long lost() {
        return lost.get();
    }

    @Override
    public @Nullable InetSocketAddress receive(ByteBuffer buffer) {
        InetSocketAddress source = socket.receive(buffer);
        while (source != null && isLost(buffer)) {
            buffer.clear();
            source = socket.receive(buffer);
        }
        return source;
    }

    @Override
    public int sendTo(ByteBuffer buffer, InetSocketAddress address) {
        return socket.sendTo(buffer, address);
    }

    private boolean isLost(ByteBuffer buffer) {
        int length = buffer.position();
        if (length < DataHeaderFlyweight.HEADER_LENGTH) {
            return false;
        }
        view.wrap(buffer, 0, length);
        return switch (FrameDescriptor.frameType(view, 0)) {
            case HeaderFlyweight.HDR_TYPE_SETUP -> onSetup();
            case HeaderFlyweight.HDR_TYPE_DATA -> onData(length);
            default -> false;
        };
    }

    private boolean onSetup() {
        SetupFlyweight setup = new SetupFlyweight(view);
        initialTermId = setup.initialTermId();
        termBytes = setup.termLength();
        return false;
    }

    private boolean onData(int length) {
        int terms = DataHeaderFlyweight.termId(view, 0) - initialTermId;
        int number = (int) (((long) terms * termBytes + DataHeaderFlyweight.termOffset(view, 0)) / datagramBytes);
        long nowNs = System.nanoTime();
        if (DataHeaderFlyweight.isHeartbeat(view, length)) {
            gaps.onHeartbeat(number, nowNs);
            return false;
        }
        boolean isRepeated = arrived.get(number);
        arrived.set(number);
        if (isRepeated ? random.nextDouble() < repeatedLossProbability : toLose.get(number)) {
            lost.incrementAndGet();
            return true;
        }
        gaps.onDatagram(number, nowNs);
        return false;
    }
}
