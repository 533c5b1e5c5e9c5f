package org.naklab.lab.report.live;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.function.Consumer;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.report.web.HostNames;
import org.naklab.lab.report.web.Token;
import org.naklab.lab.report.web.WebLimits;
import org.naklab.lab.report.web.WebServer;

/** Serves the page of what goes on now. Who connects from another machine needs a token, which is a part of the address. Viewers change nothing. */
public final class LiveServer implements AutoCloseable {
    private static final WebLimits LIMITS = new WebLimits(30_000, 64, 0);

    private final WebServer server;
    private final LivePages pages;

    private LiveServer(WebServer server, LivePages pages) {
        this.server = server;
        this.pages = pages;
    }

    /**
     * Starts it.
     *
     * @param host name or address of an interface of this machine; one that is not of loopback has a token
     * @param port 0: any that is free
     * @param errors is told what kept a request from its answer
     * @throws UsageException the host is unknown
     * @throws LabException the port is not to be had
     */
    public static LiveServer launch(String host, int port, LiveFeed feed, Consumer<Throwable> errors) {
        InetAddress address = address(host);
        LivePages pages = new LivePages(address.isLoopbackAddress() ? "" : Token.make(), feed);
        WebServer server =
                WebServer.launch(address.getHostAddress(), port, new HostNames(host, List.of()), LIMITS, pages, errors);
        return new LiveServer(server, pages);
    }

    private static InetAddress address(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new UsageException("no host is named '" + host + "'");
        }
    }

    /**
     * Returns the address of the page, with the token if one is needed.
     *
     * @param host by which this machine is called, as it stands in a URL
     */
    public String url(String host) {
        return "http://" + host + ":" + server.port() + pages.path();
    }

    /** Returns whether everybody on this machine may know the address: it has no token. */
    public boolean isOpen() {
        return pages.isOpen();
    }

    /** Shows something else from now on: the browsers of viewers come back to it. */
    public void show(LiveFeed next) {
        pages.show(next);
    }

    /** Returns when it has been closed. */
    public void awaitClosed() throws InterruptedException {
        server.awaitClosed();
    }

    @Override
    public void close() {
        server.close();
    }
}
