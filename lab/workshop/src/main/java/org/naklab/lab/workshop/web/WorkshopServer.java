package org.naklab.lab.workshop.web;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.report.web.HostNames;
import org.naklab.lab.report.web.WebLimits;
import org.naklab.lab.report.web.WebServer;
import org.naklab.lab.workshop.Unit;
import org.naklab.lab.workshop.Workshop;

/** Serves a workshop to the browsers of a class. What it keeps are the files that the terminal keeps, and who has joined. */
public final class WorkshopServer implements AutoCloseable {
    /** A browser asks for one page at a time, and a class has its answers on several connections. */
    private static final WebLimits LIMITS = new WebLimits(30_000, 256, 8_192);

    private final WebServer server;
    private final Classroom classroom;
    private final LoneLink alone;

    private WorkshopServer(WebServer server, Classroom classroom, LoneLink alone) {
        this.server = server;
        this.classroom = classroom;
        this.alone = alone;
    }

    /**
     * Starts it.
     *
     * @param port 0: any that is free
     * @param names by which browsers may call it, beside those of loopback and {@code host}
     * @param directory of the workshop, which is made if it is not there
     * @param corpus directory of the recorded cases
     * @param errors is told what kept a request from its answer
     * @throws InputException the directory cannot be used
     * @throws LabException the port is not to be had
     */
    public static WorkshopServer launch(
            String host,
            int port,
            Collection<String> names,
            Path directory,
            Path corpus,
            List<Unit> units,
            Consumer<Throwable> errors) {
        return launch(host, port, names, directory, corpus, units, System::nanoTime, errors);
    }

    static WorkshopServer launch(
            String host,
            int port,
            Collection<String> names,
            Path directory,
            Path corpus,
            List<Unit> units,
            LongSupplier clock,
            Consumer<Throwable> errors) {
        Workshop.open(directory, corpus, units, "trainer");
        Classroom classroom = Classroom.open(directory);
        LoneLink alone = new LoneLink(directory);
        // A killed server has left its link.
        alone.withdraw();
        WorkshopSite site =
                new WorkshopSite(new Course(directory, corpus, units, classroom, alone), new WrongTries(clock));
        return new WorkshopServer(
                WebServer.launch(host, port, new HostNames(host, names), LIMITS, site, errors), classroom, alone);
    }

    /** Returns the port that it listens on. */
    public int port() {
        return server.port();
    }

    /** Returns the code by which trainees join. */
    public String code() {
        return classroom.code();
    }

    /** Returns the token of the trainer. */
    public String trainerToken() {
        return classroom.trainerToken();
    }

    /**
     * Is for one person alone from now on, until it is closed.
     *
     * @param address by which a browser of this machine reaches it, with a slash at its end
     * @return a link that opens the units of this person in one browser; {@link #anotherLink} makes the next one
     * @throws UsageException the name is none of a trainee
     * @throws InputException the directory cannot be written
     */
    public String serveAlone(String address, String trainee) {
        Workshop.requireName(trainee);
        return alone.offer(address, trainee);
    }

    /**
     * Makes another link for who does the course alone. Browsers that are open stay so; a link that was not used is worth nothing any more.
     *
     * @param directory of the workshop
     * @throws UsageException no server of it is for one person alone
     * @throws InputException the directory cannot be read or written
     */
    public static String anotherLink(Path directory) {
        return new LoneLink(directory).renew();
    }

    /** Returns when it has been closed. */
    public void awaitClosed() throws InterruptedException {
        server.awaitClosed();
    }

    @Override
    public void close() {
        server.close();
        alone.withdraw();
    }
}
