package org.naklab.lab.scenarios.control;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes commands for a run that is under way, at a socket in its private directory. Each connection has threads of its own. */
public final class RunControl implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(RunControl.class);

    /** The name of the socket. */
    static final String SOCKET = "control";

    private static final int MOST_SESSIONS = 16;

    private final ServerSocketChannel server;
    private final Path socket;
    private final ControlledRun run;
    private final Set<ControlSession> sessions = ConcurrentHashMap.newKeySet();
    private final Thread acceptor = new Thread(this::accept, "run-control");

    private RunControl(ServerSocketChannel server, Path socket, ControlledRun run) {
        this.server = server;
        this.socket = socket;
        this.run = run;
        acceptor.setDaemon(true);
    }

    /**
     * Begins to take commands.
     *
     * @param directory the private directory of the run
     * @throws IOException if the system makes no such socket there: its path may be too long
     */
    public static RunControl open(Path directory, ControlledRun run) throws IOException {
        Path socket = directory.resolve(SOCKET);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(socket));
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
        RunControl control = new RunControl(server, socket, run);
        control.acceptor.start();
        return control;
    }

    private void accept() {
        try {
            while (server.isOpen()) {
                SocketChannel channel = server.accept();
                if (sessions.size() >= MOST_SESSIONS) {
                    channel.close();
                } else {
                    ControlSession session = new ControlSession(new LineChannel(channel), run, sessions::remove);
                    sessions.add(session);
                    session.start();
                }
            }
        } catch (ClosedChannelException e) {
            LOGGER.debug("the run takes no more commands", e);
        } catch (IOException e) {
            LOGGER.warn("the run takes no more commands", e);
        }
    }

    /** Undoes the faults that commands still follow, tells the commands, and takes no more of them. The processes must still live. */
    @Override
    public void close() {
        try {
            server.close();
            acceptor.join();
            for (ControlSession session : Set.copyOf(sessions)) {
                session.end();
            }
            Files.deleteIfExists(socket);
        } catch (IOException e) {
            LOGGER.warn("cannot close {}", socket, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
