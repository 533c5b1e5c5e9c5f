package org.naklab.messaging;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ReceiveChannelEndpointSupplier;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.agrona.concurrent.status.AtomicCounter;

/** Passes endpoints through from the supplier given, and remembers them so that their sockets can be asked. */
final class ReceiveSockets implements ReceiveChannelEndpointSupplier {
    private final ReceiveChannelEndpointSupplier delegate;
    private final Map<Integer, ReceiveChannelEndpoint> endpointByPort = new ConcurrentHashMap<>();
    private final Map<Integer, Integer> grantedBytesByPort = new ConcurrentHashMap<>();

    ReceiveSockets(ReceiveChannelEndpointSupplier delegate) {
        this.delegate = delegate;
    }

    @Override
    public ReceiveChannelEndpoint newInstance(
            UdpChannel udpChannel,
            DataPacketDispatcher dispatcher,
            AtomicCounter statusIndicator,
            MediaDriver.Context context) {
        ReceiveChannelEndpoint endpoint = delegate.newInstance(udpChannel, dispatcher, statusIndicator, context);
        endpointByPort.put(udpChannel.remoteData().getPort(), endpoint);
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
}
