package org.naklab.lab.scenarios.control;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.FaultState;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.scenarios.control.ControlledRun.InjectedFault;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection of a command to a run: one request. A fault lasts as long as the command that injected it stays connected, at most. */
final class ControlSession {
    private static final Logger LOGGER = LoggerFactory.getLogger(ControlSession.class);

    /** How often a fault is looked at. */
    private static final long LOOK_MS = 50;
    /** A process may take that long to undo a fault. */
    private static final long END_MS = 30_000;

    private final LineChannel lines;
    private final ControlledRun run;
    private final Consumer<ControlSession> atEnd;
    /** The command is gone or wants the end, or the run comes to its end. */
    private final CountDownLatch released = new CountDownLatch(1);

    private volatile boolean isAsked;

    private final Thread thread = new Thread(this::serve, "run-control-session");

    ControlSession(LineChannel lines, ControlledRun run, Consumer<ControlSession> atEnd) {
        this.lines = lines;
        this.run = run;
        this.atEnd = atEnd;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Ends a fault that is followed, and waits until the command has been told; one that has not asked for anything is let go. */
    void end() throws InterruptedException, IOException {
        released.countDown();
        if (!isAsked) {
            lines.close();
        }
        thread.join(END_MS);
        lines.close();
    }

    private void serve() {
        try (lines) {
            Thread reader = new Thread(this::awaitRelease, "run-control-release");
            reader.setDaemon(true);
            String line = lines.readLine();
            if (line != null) {
                isAsked = true;
                reader.start();
                obey(Json.fromLine(line, ControlRequest.class));
            }
        } catch (IOException | UncheckedIOException e) {
            LOGGER.debug("a command went away", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            atEnd.accept(this);
        }
    }

    /** A second line asks for the end, and so does the end of the connection. */
    private void awaitRelease() {
        try {
            @Nullable String unused = lines.readLine();
        } catch (IOException e) {
            LOGGER.debug("the connection of a command broke", e);
        } finally {
            released.countDown();
        }
    }

    private void obey(ControlRequest request) throws IOException, InterruptedException {
        try {
            FaultSpec fault = request.fault();
            switch (request.word()) {
                case DESCRIBE -> lines.write(new ControlReply.Described(run.describe()));
                case REMOVE -> lines.write(new ControlReply.Removed(run.removeAdded()));
                case INJECT -> {
                    if (fault == null) {
                        throw new LabException("a request to inject a fault has none");
                    }
                    follow(run.inject(fault));
                }
            }
        } catch (LabException e) {
            lines.write(new ControlReply.Refused(String.valueOf(e.getMessage()), e.kind()));
        } catch (FaultException e) {
            lines.write(new ControlReply.Refused(String.valueOf(e.getMessage()), LabException.Kind.UNAVAILABLE));
        }
    }

    /** Follows a fault to its end, which comes with its time, with the command, or with the run. */
    private void follow(InjectedFault fault) throws IOException, InterruptedException {
        FaultState end;
        try {
            lines.write(new ControlReply.Accepted(fault.id(), fault.process()));
            boolean isArmedTold = false;
            boolean isFiringTold = false;
            FaultState state = fault.state();
            while (state.phase() != FaultState.Phase.OVER && !released.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
                state = fault.state();
                if (state.phase() == FaultState.Phase.ARMED && !isArmedTold) {
                    isArmedTold = true;
                    lines.write(new ControlReply.Armed(fault.id()));
                }
                if (state.phase() == FaultState.Phase.ARMED && state.proof().fired() && !isFiringTold) {
                    isFiringTold = true;
                    lines.write(new ControlReply.Fired(fault.id(), state.proof().explanation()));
                }
            }
        } finally {
            // Also if the command does not take its replies any more.
            end = fault.remove();
        }
        lines.write(new ControlReply.Over(end.proof()));
    }
}
