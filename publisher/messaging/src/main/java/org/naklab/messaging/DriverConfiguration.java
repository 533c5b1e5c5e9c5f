package org.naklab.messaging;

import io.aeron.Aeron;
import io.aeron.driver.Configuration;
import io.aeron.driver.FlowControlSupplier;
import io.aeron.driver.MaxMulticastFlowControlSupplier;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NoOpLock;
import org.naklab.messaging.lbtrm.IgnoreInterval;
import org.naklab.messaging.lbtrm.LbtrmFlowControl;
import org.naklab.messaging.lbtrm.LogWindow;
import org.naklab.messaging.lbtrm.RetransmitLimiter;
import org.naklab.messaging.lbtrm.UniformNakBackOff;

/** Maps a {@link MessagingContext.Context} to Aeron's driver and client. */
final class DriverConfiguration {
    /** Aeron ends a client or driver that was away for longer; a stalled or stopped process must live on. */
    private static final long SURVIVED_PAUSE_NS = TimeUnit.SECONDS.toNanos(60);

    static MediaDriver.Context driver(
            MessagingContext.Context context, ReceiveSockets receiveSockets, ErrorHandler errorHandler) {
        MediaDriver.Context driver = new MediaDriver.Context()
                .aeronDirectoryName(context.aeronDirectory())
                .threadingMode(ThreadingMode.INVOKER)
                .asyncExecutorEnabled(false)
                .dirDeleteOnStart(false)
                .dirDeleteOnShutdown(false)
                .termBufferSparseFile(true)
                .lowStorageWarningThreshold(0)
                .publicationTermBufferLength(context.termBytes())
                .mtuLength(TransportProfile.MTU_BYTES)
                .clientLivenessTimeoutNs(SURVIVED_PAUSE_NS)
                .publicationUnblockTimeoutNs(2 * SURVIVED_PAUSE_NS)
                .publicationConnectionTimeoutNs(SURVIVED_PAUSE_NS)
                .nanoClock(context.nanoClock())
                .errorHandler(errorHandler)
                .sendChannelEndpointSupplier(context.sendChannelEndpointSupplier())
                .receiveChannelEndpointSupplier(receiveSockets);
        int socketBytes = Math.min(context.receiveBufferBytes(), maxReceiveBufferBytes());
        driver.socketRcvbufLength(socketBytes)
                .initialWindowLength(Math.min(socketBytes, Configuration.INITIAL_WINDOW_LENGTH_DEFAULT));
        if (context.profile() == TransportProfile.LBTRM) {
            applyLbtrm(context, driver);
        } else {
            driver.multicastFlowControlSupplier(new MaxMulticastFlowControlSupplier());
        }
        return driver;
    }

    static Aeron.Context client(MessagingContext.Context context, MediaDriver driver, ErrorHandler errorHandler) {
        return new Aeron.Context()
                .aeronDirectoryName(context.aeronDirectory())
                .driverAgentInvoker(driver.sharedAgentInvoker())
                .useConductorAgentInvoker(true)
                .clientLock(NoOpLock.INSTANCE)
                .clientName(context.name())
                .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(SURVIVED_PAUSE_NS))
                .nanoClock(context.nanoClock())
                .errorHandler(errorHandler);
    }

    private static void applyLbtrm(MessagingContext.Context context, MediaDriver.Context driver) {
        RetransmitLimiter limiter = new RetransmitLimiter(
                context.retransmitBitsPerSecond(), context.nanoClock().nanoTime(), TransportProfile.MTU_BYTES);
        FlowControlSupplier flowControlSupplier = (channel, streamId, registrationId) -> new LbtrmFlowControl(limiter);
        driver.multicastFlowControlSupplier(flowControlSupplier)
                .congestControlSupplier(
                        (registrationId,
                                channel,
                                streamId,
                                sessionId,
                                termLength,
                                mtu,
                                control,
                                source,
                                clock,
                                driverContext,
                                counters) -> new LogWindow(termLength))
                .multicastFeedbackDelayGenerator(new UniformNakBackOff(nakSeed(context)))
                .retransmitUnicastDelayNs(0)
                .retransmitUnicastLingerNs(IgnoreInterval.ofPropertyNs());
    }

    /** Receivers that share a seed must not NAK in step: the name tells them apart. */
    private static long nakSeed(MessagingContext.Context context) {
        return context.seed() * 31 + context.name().hashCode();
    }

    /** What the kernel would grant at most; asking for more would make Aeron print a warning. */
    private static int maxReceiveBufferBytes() {
        try (DatagramChannel probe = DatagramChannel.open()) {
            probe.setOption(StandardSocketOptions.SO_RCVBUF, Integer.MAX_VALUE);
            return probe.getOption(StandardSocketOptions.SO_RCVBUF);
        } catch (IOException e) {
            throw new MessagingException("cannot open a UDP socket: " + e.getMessage(), e);
        }
    }

    private DriverConfiguration() {}
}
