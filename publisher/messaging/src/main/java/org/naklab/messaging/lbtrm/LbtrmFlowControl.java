package org.naklab.messaging.lbtrm;

import io.aeron.driver.FlowControl;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.UdpChannel;
import io.aeron.driver.status.SystemCounterDescriptor;
import io.aeron.protocol.ErrorFlyweight;
import io.aeron.protocol.SetupFlyweight;
import io.aeron.protocol.StatusMessageFlyweight;
import java.net.InetSocketAddress;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;
import org.jspecify.annotations.Nullable;

/**
 * Sends without regard to receivers, as LBT-RM does: a slow receiver loses, it does not slow the sender. Status messages
 * only tell that somebody listens, which Aeron tracks by itself. Retransmission is limited, see {@link RetransmitLimiter}.
 */
public final class LbtrmFlowControl implements FlowControl {
    /** Aeron subtracts the sender's position and takes the smaller of this and the MTU before it narrows to an int. */
    private static final long NO_LIMIT = Long.MAX_VALUE;

    private final RetransmitLimiter limiter;
    private @Nullable CachedNanoClock clock;
    private @Nullable AtomicCounter retransmittedBytes;

    public LbtrmFlowControl(RetransmitLimiter limiter) {
        this.limiter = limiter;
    }

    @Override
    public void initialize(
            MediaDriver.Context context,
            CountersManager countersManager,
            UdpChannel udpChannel,
            int streamId,
            int sessionId,
            long registrationId,
            int initialTermId,
            int termBufferLength) {
        clock = context.senderCachedNanoClock();
        retransmittedBytes = context.systemCounters().get(SystemCounterDescriptor.RETRANSMITTED_BYTES);
    }

    @Override
    public long onStatusMessage(
            StatusMessageFlyweight flyweight,
            InetSocketAddress receiverAddress,
            long senderLimit,
            int initialTermId,
            int positionBitsToShift,
            long timeNs) {
        return NO_LIMIT;
    }

    @Override
    public void onTriggerSendSetup(StatusMessageFlyweight flyweight, InetSocketAddress receiverAddress, long timeNs) {}

    @Override
    public long onSetup(
            SetupFlyweight flyweight, long senderLimit, long senderPosition, int positionBitsToShift, long timeNs) {
        return senderLimit;
    }

    @Override
    public void onError(ErrorFlyweight errorFlyweight, InetSocketAddress receiverAddress, long timeNs) {}

    @Override
    public long onIdle(long timeNs, long senderLimit, long senderPosition, boolean isEos) {
        return senderLimit;
    }

    @Override
    public boolean hasRequiredReceivers() {
        return true;
    }

    @Override
    public int maxRetransmissionLength(int termOffset, int resendLength, int termBufferLength, int mtuLength) {
        if (clock == null || retransmittedBytes == null) {
            throw new IllegalStateException("not initialized");
        }
        int wantedBytes = Math.min(resendLength, termBufferLength - termOffset);
        return (int) Math.min(wantedBytes, limiter.availableBytes(clock.nanoTime(), retransmittedBytes.get()));
    }

    @Override
    public void close() {}
}
