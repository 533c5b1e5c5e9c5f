package org.naklab.lab.report.web;

import io.netty.channel.ChannelHandler;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Answers the requests of a server. */
public interface Pages {
    /**
     * Answers a request. It is called on several threads at once.
     *
     * @throws IOException a file cannot be read; the client is told no details
     */
    Response answer(WebRequest request) throws IOException;

    /**
     * Returns what speaks over a WebSocket that a client asks for. It is called on several threads at once.
     *
     * @return added to the connection when the handshake is complete; {@code null}: there is none at this path
     * @throws IOException a file cannot be read; the client is told no details
     */
    default @Nullable ChannelHandler socket(WebRequest request) throws IOException {
        return null;
    }
}
