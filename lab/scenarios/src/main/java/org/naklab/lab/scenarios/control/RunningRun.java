package org.naklab.lab.scenarios.control;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSpec;
import org.naklab.files.SharedMemory;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run of this user that is under way, as a command sees it.
 *
 * @param socket at which the run takes commands
 */
public record RunningRun(Path socket, RunDescription description) {
    private static final Logger LOGGER = LoggerFactory.getLogger(RunningRun.class);

    /** A run answers at once, unless its machine stands still. */
    private static final long DESCRIBE_MS = 5_000;
    /** Each of a run's faults may take some seconds to undo. */
    private static final long REMOVE_MS = 120_000;
    /** A run tells the end of a fault when it has undone it. */
    private static final long LOOK_MS = 20;

    private static final ControlReply GONE = new ControlReply.Refused("the run has ended", LabException.Kind.INPUT);

    /** Takes what happens to a fault. */
    public interface Listener {
        /** The run has taken the fault. */
        void onAccepted(String id, String process);

        /** The fault may fire from now on. */
        void onArmed();

        /**
         * The fault has fired for the first time, and is still armed.
         *
         * @param explanation by what one can tell
         */
        default void onFired(String explanation) {}
    }

    /** Returns the runs of this user that are under way, in no particular order. */
    public static List<RunningRun> findAll() {
        List<RunningRun> runs = new ArrayList<>();
        try (DirectoryStream<Path> directories =
                Files.newDirectoryStream(SharedMemory.root(), SharedMemory.PREFIX + "*")) {
            for (Path directory : directories) {
                if (isOwn(directory)) {
                    describe(directory.resolve(RunControl.SOCKET)).ifPresent(runs::add);
                }
            }
        } catch (IOException e) {
            throw new LabException("cannot list the runs in " + SharedMemory.root(), e);
        }
        runs.sort(Comparator.comparing(run -> run.description().runDirectory()));
        return runs;
    }

    /** Another user could make a socket that never answers. */
    private static boolean isOwn(Path directory) {
        try {
            return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                    && Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS)
                            .equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        } catch (IOException e) {
            LOGGER.debug("{} is gone", directory, e);
            return false;
        }
    }

    private static Optional<RunningRun> describe(Path socket) {
        if (Files.notExists(socket)) {
            return Optional.empty();
        }
        try (Connection connection = Connection.open(socket)) {
            connection.send(new ControlRequest(ControlRequest.Word.DESCRIBE, null));
            return connection.await(DESCRIBE_MS) instanceof ControlReply.Described described
                    ? Optional.of(new RunningRun(socket, described.run()))
                    : Optional.empty();
        } catch (IOException e) {
            LOGGER.debug("{} is that of a run that has ended", socket, e);
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /**
     * Injects a fault, and waits until it is over.
     *
     * @param isCancelled looked at often: when it becomes true, the fault is removed
     * @return the proof
     * @throws LabException if the run does not take the fault, or ends without a proof
     */
    public FaultProof inject(FaultSpec fault, Listener listener, BooleanSupplier isCancelled)
            throws InterruptedException {
        try (Connection connection = Connection.open(socket)) {
            connection.send(new ControlRequest(ControlRequest.Word.INJECT, fault));
            boolean isRemoved = false;
            while (true) {
                if (!isRemoved && isCancelled.getAsBoolean()) {
                    isRemoved = true;
                    connection.send(new ControlRequest(ControlRequest.Word.REMOVE, null));
                }
                ControlReply reply = connection.poll(LOOK_MS);
                if (reply instanceof ControlReply.Accepted accepted) {
                    listener.onAccepted(accepted.id(), accepted.process());
                } else if (reply instanceof ControlReply.Armed) {
                    listener.onArmed();
                } else if (reply instanceof ControlReply.Fired fired) {
                    listener.onFired(fired.explanation());
                } else if (reply instanceof ControlReply.Over over) {
                    return over.proof();
                } else if (reply instanceof ControlReply.Refused refused) {
                    throw refused.exception();
                }
            }
        } catch (IOException e) {
            throw new LabException("the run in " + description.runDirectory() + " has ended", e);
        }
    }

    /**
     * Removes the faults that users have added to the run.
     *
     * @throws LabException if the run does not say that it did
     */
    public List<RemovedFault> removeAdded() throws InterruptedException {
        try (Connection connection = Connection.open(socket)) {
            connection.send(new ControlRequest(ControlRequest.Word.REMOVE, null));
            ControlReply reply = connection.await(REMOVE_MS);
            if (reply instanceof ControlReply.Removed removed) {
                return removed.faults();
            }
            throw new LabException("the run in " + description.runDirectory() + " has not removed its faults"
                    + (reply instanceof ControlReply.Refused refused ? ": " + refused.reason() : ""));
        } catch (IOException e) {
            throw new LabException("the run in " + description.runDirectory() + " has ended", e);
        }
    }

    /** A connection, whose replies another thread reads. */
    private record Connection(LineChannel lines, BlockingQueue<ControlReply> replies) implements AutoCloseable {
        static Connection open(Path socket) throws IOException {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                channel.connect(UnixDomainSocketAddress.of(socket));
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
            Connection connection = new Connection(new LineChannel(channel), new LinkedBlockingQueue<>());
            Thread reader = new Thread(connection::read, "run-control-replies");
            reader.setDaemon(true);
            reader.start();
            return connection;
        }

        private void read() {
            try {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    replies.add(Json.fromLine(line, ControlReply.class));
                }
            } catch (IOException | UncheckedIOException e) {
                LOGGER.debug("the connection to a run broke", e);
            } finally {
                replies.add(GONE);
            }
        }

        void send(ControlRequest request) throws IOException {
            lines.write(request);
        }

        /** Returns the next reply, or that there is none yet, which is no reply at all. */
        @Nullable
        ControlReply poll(long timeoutMs) throws InterruptedException {
            return replies.poll(timeoutMs, TimeUnit.MILLISECONDS);
        }

        /** Returns the next reply; that the run is gone if none comes in time. */
        ControlReply await(long timeoutMs) throws InterruptedException {
            ControlReply reply = poll(timeoutMs);
            return reply == null ? GONE : reply;
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }
}
