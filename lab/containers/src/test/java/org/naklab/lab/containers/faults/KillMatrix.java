package org.naklab.lab.containers.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Assertions;

/** Arms every fault in one container at once, stops at a moment at which a test kills something, and checks what stays. */
final class KillMatrix implements AutoCloseable {
    /** The moment at which something is killed. */
    enum Moment {
        /** The engine does not have the commands yet. */
        BEFORE("before"),
        /** The engine has executed the commands, and nobody knows yet. */
        DURING("after"),
        /** The faults are armed. */
        AFTER("never");

        private final String stop;

        Moment(String stop) {
            this.stop = stop;
        }
    }

    private final Moment moment;
    private final StruckContainer container = new StruckContainer();
    private final LabProcess lab;

    /**
     * Starts a container and a lab, and waits for the moment.
     *
     * @param directory an empty one, for the files of the lab
     */
    KillMatrix(Path directory, Moment moment) throws IOException {
        this.moment = moment;
        try {
            lab = new LabProcess(directory, container.name(), moment.stop);
        } catch (IOException | RuntimeException | Error e) {
            container.close();
            throw e;
        }
        try {
            awaitMoment();
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private void awaitMoment() throws IOException {
        if (isArmed()) {
            assertEveryFaultReports("armed");
            assertThat(container.isPaused()).isTrue();
        } else {
            lab.awaitStoppedClients();
        }
    }

    boolean isArmed() {
        return moment == Moment.AFTER;
    }

    LabProcess lab() {
        return lab;
    }

    StruckContainer container() {
        return container;
    }

    /** Waits for one line of each fault that begins with this word. */
    void assertEveryFaultReports(String word) throws IOException {
        assertThat(lab.readLines(LabProcess.FAULTS.size())).allMatch(line -> line.startsWith(word));
    }

    /** Waits for the lab's processes to end, and checks that the container, the engine and the disk are as before. */
    void assertNothingLeft() throws IOException {
        lab.awaitNoProcess();
        container.assertAsBefore();
        assertThat(StruckContainer.toolsOf(lab.identity()))
                .as("tool containers")
                .isEmpty();
        assertThat(lab.files()).as(lab::ledgers).isEmpty();
    }

    @Override
    public void close() {
        Assertions.assertAll(lab::close, container::close);
    }
}
