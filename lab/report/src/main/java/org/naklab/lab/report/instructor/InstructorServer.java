package org.naklab.lab.report.instructor;

import java.util.Collection;
import java.util.function.Consumer;
import org.naklab.lab.core.LabException;
import org.naklab.lab.report.live.LiveStage;
import org.naklab.lab.report.web.HostNames;
import org.naklab.lab.report.web.Pages;
import org.naklab.lab.report.web.Token;
import org.naklab.lab.report.web.WebLimits;
import org.naklab.lab.report.web.WebServer;

/** Serves the pages of an instructor and of an audience. */
public final class InstructorServer implements AutoCloseable {
    /** An act is a few words. */
    private static final WebLimits LIMITS = new WebLimits(30_000, 64, 2_048);

    private final WebServer server;
    private final InstructorPages pages;

    private InstructorServer(WebServer server, InstructorPages pages) {
        this.server = server;
        this.pages = pages;
    }

    /**
     * Starts it.
     *
     * @param port 0: any that is free
     * @param names by which browsers may call it, beside those of loopback and {@code host}
     * @param runs pages of the runs that have ended
     * @param errors is told what kept a request from its answer
     * @throws LabException the port is not to be had
     */
    public static InstructorServer launch(
            String host,
            int port,
            Collection<String> names,
            LabActs acts,
            LiveStage stage,
            Pages runs,
            Consumer<Throwable> errors) {
        InstructorPages pages = new InstructorPages(Token.make(), Token.make(), acts, stage, runs);
        return new InstructorServer(
                WebServer.launch(host, port, new HostNames(host, names), LIMITS, pages, errors), pages);
    }

    /** Returns the port that it listens on. */
    public int port() {
        return server.port();
    }

    /** Returns the path of the page from which an instructor acts, with the token. */
    public String instructorPath() {
        return pages.path(Role.INSTRUCTOR);
    }

    /** Returns the path of the page on which an audience watches, with its token. */
    public String audiencePath() {
        return pages.path(Role.AUDIENCE);
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
