package org.naklab.lab.report.dashboard;

import java.nio.file.Path;
import java.util.Collection;
import java.util.function.Consumer;
import org.naklab.lab.core.LabException;
import org.naklab.lab.report.web.HostNames;
import org.naklab.lab.report.web.Pages;
import org.naklab.lab.report.web.TokenPages;
import org.naklab.lab.report.web.WebLimits;
import org.naklab.lab.report.web.WebServer;

/** An HTTP server of the runs in a directory. It reads them anew for each request, writes nothing, and knows no user. */
public final class Dashboard implements AutoCloseable {
    private final WebServer server;
    private final String path;

    private Dashboard(WebServer server, String path) {
        this.server = server;
        this.path = path;
    }

    /**
     * Starts it.
     *
     * @param port 0: any that is free
     * @param names by which browsers may call it, beside those of loopback and {@code host}
     * @param errors is told what kept a request from its answer
     * @throws LabException when there is no such directory, or the port is not to be had
     */
    public static Dashboard launch(
            String host, int port, Path runs, Collection<String> names, Consumer<Throwable> errors) {
        return launch(host, port, runs, new HostNames(host, names), ServeLimits.USUAL, errors);
    }

    /**
     * Starts it below a path with a token: nothing is answered to those to whom {@link #path()} was not told.
     *
     * @param port 0: any that is free
     * @param names by which browsers may call it, beside those of loopback and {@code host}
     * @param errors is told what kept a request from its answer
     * @throws LabException when there is no such directory, or the port is not to be had
     */
    public static Dashboard launchWithToken(
            String host, int port, Path runs, Collection<String> names, Consumer<Throwable> errors) {
        TokenPages pages = new TokenPages(pages(runs));
        return new Dashboard(
                serve(host, port, new HostNames(host, names), ServeLimits.USUAL, pages, errors), pages.path());
    }

    static Dashboard launch(
            String host, int port, Path runs, HostNames names, ServeLimits limits, Consumer<Throwable> errors) {
        Router pages = new Router(new RunCatalog(runs, limits), limits);
        return new Dashboard(serve(host, port, names, limits, pages, errors), "/");
    }

    private static WebServer serve(
            String host, int port, HostNames names, ServeLimits limits, Pages pages, Consumer<Throwable> errors) {
        return WebServer.launch(
                host, port, names, new WebLimits(limits.deadlineMs(), limits.maxConnections(), 0), pages, errors);
    }

    /**
     * Returns the pages of the runs in a directory, for another server.
     *
     * @throws LabException when there is no such directory
     */
    public static Pages pages(Path runs) {
        return new Router(new RunCatalog(runs, ServeLimits.USUAL), ServeLimits.USUAL);
    }

    /** Returns the path of the calendar, with the token if there is one. */
    public String path() {
        return path;
    }

    /** The one it listens on. */
    public int port() {
        return server.port();
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
