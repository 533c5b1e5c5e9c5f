package org.naklab.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the kernel's table of UDP sockets, as proc(5) describes it. */
public final class ProcNetUdp {
    private static final int LOCAL_ADDRESS = 1;
    private static final int QUEUES = 4;
    private static final int INODE = 9;
    private static final int DROPS = 12;
    private static final int HEX = 16;

    /** One socket as it is now. */
    public record Row(String localAddress, int port, long inode, long depthBytes, long drops) {}

    private ProcNetUdp() {}

    /** The sockets bound to a port from {@code firstPort} to {@code lastPort}. */
    public static List<Row> read(Path table, int firstPort, int lastPort) throws IOException {
        List<Row> rows = new ArrayList<>();
        List<String> lines = Files.readAllLines(table);
        for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
            Row row = parse(line);
            if (row.port() >= firstPort && row.port() <= lastPort) {
                rows.add(row);
            }
        }
        return rows;
    }

    static Row parse(String line) {
        String[] fields = line.strip().split("\\s+", -1);
        String[] local = fields[LOCAL_ADDRESS].split(":", -1);
        String[] queues = fields[QUEUES].split(":", -1);
        return new Row(
                dotted(Long.parseLong(local[0], HEX)),
                Integer.parseInt(local[1], HEX),
                Long.parseLong(fields[INODE]),
                Long.parseLong(queues[1], HEX),
                Long.parseLong(fields[DROPS]));
    }

    /** The table shows the address's bytes in network order, read as a little-endian number. */
    private static String dotted(long address) {
        return (address & 0xff) + "." + (address >> 8 & 0xff) + "." + (address >> 16 & 0xff) + "." + (address >> 24);
    }
}
