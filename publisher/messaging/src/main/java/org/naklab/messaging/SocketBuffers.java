package org.naklab.messaging;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.util.Locale;

/** Receive buffers by the kernel's own accounting. */
public final class SocketBuffers {
    private static final boolean IS_LINUX =
            System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("linux");

    private SocketBuffers() {}

    /**
     * SO_RCVBUF of a channel in bytes, as the kernel reports it and compares it with the socket's depth. Linux grants twice of
     * what it is asked for (socket(7)), and the JDK halves what Linux reports ({@code NET_GetSockOpt} in net_util_md.c), so that
     * a buffer seems to be as large as it was asked for.
     */
    public static int grantedBytes(NetworkChannel channel) throws IOException {
        int bytes = channel.getOption(StandardSocketOptions.SO_RCVBUF);
        return IS_LINUX ? 2 * bytes : bytes;
    }
}
