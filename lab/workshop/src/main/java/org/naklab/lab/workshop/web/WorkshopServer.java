package org.naklab.lab.workshop.web;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.web.HostNames;
import org.naklab.lab.web.WebLimits;
import org.naklab.lab.web.WebServer;
import org.naklab.lab.workshop.Unit;
import org.naklab.lab.workshop.Workshop;

/** Serves a workshop to the browsers of a class. What it keeps are the files that the terminal keeps, and who has joined. */
public final class WorkshopServer implements AutoCloseable {
    /** A browser asks for one page at a time, and a class has its answers on several connections. */
    private static final WebLimits LIMITS = new WebLimits(30_000, 256, 8_192);

    private final WebServer server;
    private final Classroom classroom;

    private WorkshopServer(WebServer server, Classroom classroom) {
        this.server = server;
        this.classroom = classroom;
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
        WorkshopSite site = new WorkshopSite(new Course(directory, corpus, units, classroom), new WrongTries(clock));
        return new WorkshopServer(
                WebServer.launch(host, port, new HostNames(host, names), LIMITS, site, errors), classroom);
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
     * Lets somebody join who may have taken part in the terminal, or in another browser.
     *
     * @return what follows the address of the server in a link that joins at once
     * @throws UsageException the name is none of a trainee
     */
    public String letJoin(String trainee) {
        Workshop.requireName(trainee);
        classroom.release(trainee);
        return "#" + classroom.code() + "/" + trainee;
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
