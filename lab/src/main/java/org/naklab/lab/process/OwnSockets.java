package org.naklab.lab.process;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The feed's sockets in this process's own network namespace, which the lab cannot look into. One thread only. */
final class OwnSockets {
    private static final Path TABLE = Path.of("/proc/self/net/udp");

    private final int firstPort;
    private final Map<Long, ProcNetUdp.Row> lastByInode = new LinkedHashMap<>();
    private final Map<Long, Long> deepestByInode = new LinkedHashMap<>();

    OwnSockets(int firstPort) {
        this.firstPort = firstPort;
    }

    void sample() {
        try {
            for (ProcNetUdp.Row row : ProcNetUdp.read(TABLE, firstPort, firstPort + 1)) {
                lastByInode.put(row.inode(), row);
                deepestByInode.merge(row.inode(), row.depthBytes(), Math::max);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot watch the sockets", e);
        }
    }

    /** What was seen of each so far. */
    ArrayNode readings() {
        ArrayNode readings = Json.object().putArray("sockets");
        lastByInode.forEach((inode, row) -> readings.addObject()
                .put("localAddress", row.localAddress())
                .put("port", row.port())
                .put("maxDepthBytes", deepestByInode.getOrDefault(inode, 0L))
                .put("drops", row.drops()));
        return readings;
    }
}
