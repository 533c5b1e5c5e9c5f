package org.naklab.messaging.guard;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Tells what lies between a receiving endpoint and its socket: the seam for faults on the receiving side. Whatever it passes on is
 * still checked by the endpoint. Called on the context's thread only.
 */
public interface ReceiveLink {
    /** As {@link Socket#receive}: the source, or null if there is nothing; the datagram lies before the buffer's position. */
    @Nullable
    InetSocketAddress receive(ByteBuffer buffer);

    /** Sends a status message or a NAK; returns the bytes that it took. */
    int sendTo(ByteBuffer buffer, InetSocketAddress address);

    /** The endpoint's own socket. */
    interface Socket {
        @Nullable
        InetSocketAddress receive(ByteBuffer buffer);

        int sendTo(ByteBuffer buffer, InetSocketAddress address);
    }

    /** Makes one link for each receiving endpoint. */
    @FunctionalInterface
    interface Factory {
        /** Passes everything on unchanged. */
        Factory DIRECT = socket -> new ReceiveLink() {
            @Override
            public @Nullable InetSocketAddress receive(ByteBuffer buffer) {
                return socket.receive(buffer);
            }

            @Override
            public int sendTo(ByteBuffer buffer, InetSocketAddress address) {
                return socket.sendTo(buffer, address);
            }
        };

        ReceiveLink newLink(Socket socket);
    }
}
