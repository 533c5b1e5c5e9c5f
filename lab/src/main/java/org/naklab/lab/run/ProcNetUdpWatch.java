package org.naklab.lab.run;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.naklab.lab.process.ProcNetUdp;
import org.naklab.lab.scenario.SocketReading;

/** Samples the run's sockets in {@code /proc/net/udp} every 10 ms on a thread of its own. */
final class ProcNetUdpWatch implements SocketWatch {
    private static final Path TABLE = Path.of("/proc/net/udp");
    private static final long INTERVAL_NS = 10_000_000;

    private final int firstPort;
    private final int lastPort;
    private final Supplier<Map<String, Long>> pidByProcess;
    private final Map<Long, SocketReading> readingByInode = new LinkedHashMap<>();
    private final Thread thread = new Thread(this::watch, "socket-watch");
    private volatile boolean running = true;
    private volatile boolean canSee = Files.isReadable(TABLE);

    /** @param pidByProcess asked whenever a socket appears, for whose it is */
    ProcNetUdpWatch(int firstPort, int lastPort, Supplier<Map<String, Long>> pidByProcess) {
        this.firstPort = firstPort;
        this.lastPort = lastPort;
        this.pidByProcess = pidByProcess;
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public boolean canSee() {
        return canSee;
    }

    @Override
    public synchronized List<SocketReading> readings() {
        return new ArrayList<>(readingByInode.values());
    }

    @Override
    public void close() {
        running = false;
        LockSupport.unpark(thread);
    }

    private void watch() {
        while (running && canSee) {
            try {
                ProcNetUdp.read(TABLE, firstPort, lastPort).forEach(this::take);
            } catch (IOException e) {
                canSee = false;
            }
            LockSupport.parkNanos(INTERVAL_NS);
        }
    }

    private synchronized void take(ProcNetUdp.Row row) {
        SocketReading last = readingByInode.get(row.inode());
        String process = last == null ? ownerOf(row.inode()) : last.process();
        long deepest = last == null ? row.depthBytes() : Math.max(last.maxDepthBytes(), row.depthBytes());
        readingByInode.put(
                row.inode(), new SocketReading(process, row.localAddress(), row.port(), deepest, row.drops()));
    }

    private String ownerOf(long inode) {
        return pidByProcess.get().entrySet().stream()
                .filter(process -> holds(process.getValue(), "socket:[" + inode + "]"))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("?");
    }

    private static boolean holds(long pid, String socket) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
            for (Path descriptor : descriptors) {
                if (Files.isSymbolicLink(descriptor)
                        && socket.equals(Files.readSymbolicLink(descriptor).toString())) {
                    return true;
                }
            }
        } catch (IOException e) {
            // Gone meanwhile, or a descriptor that closed while it was looked at: not this one's.
            return false;
        }
        return false;
    }
}
