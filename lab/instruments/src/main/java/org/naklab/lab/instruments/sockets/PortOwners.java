package org.naklab.lab.instruments.sockets;

import java.nio.file.Files;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.NanoClock;

/** Tells which of some processes has a UDP socket with a local port, also after the socket was closed. One thread at a time. */
public final class PortOwners {
    private static final long LEAST_PERIOD_NS = TimeUnit.SECONDS.toNanos(1);

    private final Map<Long, String> processes;
    private final NanoClock clock;
    private final Map<Integer, String> owners = new ConcurrentHashMap<>();
    private long readNs;

    /** @param processes the names of the processes by their ids on the host */
    public PortOwners(Map<Long, String> processes, NanoClock clock) {
        this.processes = Map.copyOf(processes);
        this.clock = clock;
        read();
    }

    /** Returns the name of the process; empty for none. A socket that is not known yet is looked for at most once a second. */
    public String ownerOf(int port) {
        String owner = owners.get(port);
        if (owner == null && clock.nanoTime() - readNs >= LEAST_PERIOD_NS) {
            read();
            owner = owners.get(port);
        }
        return owner == null ? "" : owner;
    }

    private void read() {
        readNs = clock.nanoTime();
        processes.forEach(this::read);
    }

    /** The ports of a process that is gone remain known. */
    private void read(long pid, String name) {
        Long2LongHashMap inodes = new ProcessSockets(pid).descriptorsByInode();
        if (inodes == null) {
            return;
        }
        for (boolean ipv6 : new boolean[] {false, true}) {
            readTable(pid, name, ipv6, inodes);
        }
    }

    private void readTable(long pid, String name, boolean ipv6, Long2LongHashMap inodes) {
        if (Files.isReadable(ProcNetUdpTable.pathOf(pid, ipv6))) {
            try (ProcNetUdpTable table = ProcNetUdpTable.open(pid, ipv6)) {
                table.read((text, addressOffset, localPort, txBytes, rxBytes, inode, drops) -> {
                    if (inodes.containsKey(inode)) {
                        owners.put(localPort, name);
                    }
                });
            }
        }
    }
}
