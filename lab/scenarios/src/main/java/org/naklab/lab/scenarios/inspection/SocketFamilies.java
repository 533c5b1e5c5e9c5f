package org.naklab.lab.scenarios.inspection;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tells the sockets of a process apart by their families, from {@code /proc/PID/net}. */
final class SocketFamilies {
    /** The files, each with the column of the inode. */
    private static final Map<String, Integer> FILES =
            Map.of("tcp", 9, "tcp6", 9, "udp", 9, "udp6", 9, "unix", 6, "netlink", 9);

    private final Map<String, String> familyByInode = new HashMap<>();

    private SocketFamilies() {}

    /** @param proc the directory of the process */
    static SocketFamilies of(Path proc) throws IOException {
        SocketFamilies families = new SocketFamilies();
        for (Map.Entry<String, Integer> file : FILES.entrySet()) {
            Path path = proc.resolve("net").resolve(file.getKey());
            if (Files.isReadable(path)) {
                families.read(file.getKey(), file.getValue(), Files.readAllLines(path, StandardCharsets.ISO_8859_1));
            }
        }
        return families;
    }

    private void read(String family, int column, List<String> lines) {
        for (String line : lines) {
            String[] words = line.strip().split("\\s+", -1);
            if (words.length > column) {
                familyByInode.put(words[column], family);
            }
        }
    }

    /**
     * Returns what a descriptor leads to, with the family of a socket in place of its number.
     *
     * @param target such as {@code socket:[4711]} or the path of a file
     */
    String describe(String target) {
        if (!target.startsWith("socket:[")) {
            return target;
        }
        String inode = target.substring("socket:[".length(), target.length() - 1);
        return "socket:" + familyByInode.getOrDefault(inode, "other");
    }
}
