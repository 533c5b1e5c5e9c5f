package org.naklab.lab.workshop.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.naklab.lab.workshop.Unit;
import org.naklab.lab.workshop.UnitReader;
import org.naklab.lab.workshop.Workshop;

/** A class that is served, on a clock of its own, and whose server has to have no error. */
final class ServedClass implements AutoCloseable {
    private static final Path CORPUS = Path.of("..", "cases", "src", "main", "cases");
    private static final List<Unit> UNITS = UnitReader.read(Path.of("src", "main", "units"));

    private final Path directory;
    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    private final AtomicLong clock = new AtomicLong();
    private WorkshopServer server;

    ServedClass(Path directory) {
        this.directory = directory;
        server = launch();
    }

    private WorkshopServer launch() {
        return WorkshopServer.launch("127.0.0.1", 0, List.of(), directory, CORPUS, UNITS, clock::get, errors::add);
    }

    WorkshopServer server() {
        return server;
    }

    void restart() {
        server.close();
        server = launch();
    }

    void pass(long ns) {
        clock.addAndGet(ns);
    }

    /** Opens the workshop of a trainee as the terminal does. */
    Workshop terminal(String trainee) {
        return Workshop.open(directory, CORPUS, UNITS, trainee);
    }

    @Override
    public void close() {
        server.close();
        assertThat(errors).isEmpty();
    }
}
