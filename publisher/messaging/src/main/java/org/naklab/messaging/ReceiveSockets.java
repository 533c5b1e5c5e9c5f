package org.naklab.messaging;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ReceiveChannelEndpointSupplier;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;
import org.naklab.messaging.feed.FeedId;
import org.naklab.messaging.guard.ArrivalOrder;
import org.naklab.messaging.guard.FeedGuard;
import org.naklab.messaging.guard.GuardedReceiveChannelEndpoint;

/** Makes the receiving endpoints, each with a guard of its topic, and remembers both so that they can be asked. */
final class ReceiveSockets implements ReceiveChannelEndpointSupplier {
    /** Nobody has a use for longer terms; an image of such a log takes three of them in shared memory. */
    private static final int MAX_TERM_BYTES = 64 << 20;

    private final MessagingContext.Context context;
    private final Map<Integer, ReceiveChannelEndpoint> endpointByPort = new ConcurrentHashMap<>();
    private final Map<Integer, FeedGuard> guardByPort = new ConcurrentHashMap<>();
    private final Map<Integer, ArrivalOrder> arrivalsByPort = new ConcurrentHashMap<>();
    private final Map<Integer, Integer> grantedBytesByPort = new ConcurrentHashMap<>();

    ReceiveSockets(MessagingContext.Context context) {
        this.context = context;
    }

    @Override
    public ReceiveChannelEndpoint newInstance(
            UdpChannel udpChannel,
            DataPacketDispatcher dispatcher,
            AtomicCounter statusIndicator,
            MediaDriver.Context driverContext) {
        int port = udpChannel.remoteData().getPort();
        FeedGuard guard = guardOf(topicOf(port));
        ArrivalOrder arrivals = new ArrivalOrder(context.nanoClock());
        ReceiveChannelEndpoint endpoint = new GuardedReceiveChannelEndpoint(
                udpChannel, dispatcher, statusIndicator, driverContext, guard, arrivals, context.receiveLinks());
        guardByPort.put(port, guard);
        arrivalsByPort.put(port, arrivals);
        endpointByPort.put(port, endpoint);
        return endpoint;
    }

    /** Asks the open socket on a port what SO_RCVBUF it has. */
    void readGranted(int port) {
        ReceiveChannelEndpoint endpoint = endpointByPort.get(port);
        if (endpoint == null) {
            throw new MessagingException("no receiving socket on port " + port);
        }
        try {
            grantedBytesByPort.put(port, SocketBuffers.grantedBytes(endpoint.receiveDatagramChannel()));
        } catch (IOException e) {
            throw new MessagingException("cannot read SO_RCVBUF of the socket on port " + port, e);
        }
    }

    int grantedBytes(int port) {
        Integer bytes = grantedBytesByPort.get(port);
        if (bytes == null) {
            throw new MessagingException("nothing subscribes on port " + port);
        }
        return bytes;
    }

    /** The id of the feed that the port's guard lets in; {@link FeedId#UNKNOWN} where nothing subscribes or nothing came. */
    long feedId(int port) {
        @Nullable FeedGuard guard = guardByPort.get(port);
        return guard == null ? FeedId.UNKNOWN : guard.feedId();
    }

    long foreignDatagrams() {
        return sum(FeedGuard::foreign);
    }

    long invalidDatagrams() {
        return sum(FeedGuard::invalid);
    }

    long overtakenDatagrams() {
        return arrivalsByPort.values().stream()
                .mapToLong(ArrivalOrder::overtaken)
                .sum();
    }

    long repeatedDatagrams() {
        return arrivalsByPort.values().stream()
                .mapToLong(ArrivalOrder::repeated)
                .sum();
    }

    /** The arrivals on a port; null where nothing subscribes. */
    @Nullable
    ArrivalOrder arrivals(int port) {
        return arrivalsByPort.get(port);
    }

    private FeedGuard guardOf(Topic topic) {
        int maxTermBytes = Math.max(MAX_TERM_BYTES, context.termBytes());
        long feedId = context.feedId();
        return feedId == FeedId.UNKNOWN
                ? new FeedGuard(topic.streamId(), maxTermBytes)
                : new FeedGuard(topic.streamId(), maxTermBytes, FeedId.sessionId(feedId, topic.streamId()), feedId);
    }

    private Topic topicOf(int port) {
        for (Topic topic : Topic.values()) {
            if (context.channels().port(topic) == port) {
                return topic;
            }
        }
        throw new MessagingException("no topic has port " + port);
    }

    private long sum(ToLongFunction<FeedGuard> count) {
        return guardByPort.values().stream().mapToLong(count).sum();
    }
}
