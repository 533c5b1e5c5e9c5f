package org.naklab.lab.instruments.sockets;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.naklab.lab.core.timeline.ThreadAbsence.SocketWait;

/** Finds for which sockets a call waits, by the descriptor that is its first argument: that of a socket, or of an epoll set. */
public final class SocketsOfCall {
    private static final Pattern SOCKET = Pattern.compile("socket:\\[([0-9]+)]");
    private static final String EPOLL = "anon_inode:[eventpoll]";
    private static final Pattern ENTRY = Pattern.compile("tfd: +[0-9]+ events: +([0-9a-f]+) .*ino:([0-9a-f]+).*");
    private static final int HEXADECIMAL = 16;
    private static final long EDGE_TRIGGERED = 1L << 31;
    private static final long ONE_SHOT = 1L << 30;
    /** A set of more is not looked through. */
    private static final int MAX_ENTRIES = 4_096;

    private SocketsOfCall() {}

    /**
     * Returns the sockets.
     *
     * @param process its directory in {@code /proc}, or a copy of it
     * @return empty if the descriptor is that of another kind of file, or closed, or may not be looked at
     */
    public static Optional<SocketWait> of(Path process, int descriptor) {
        String number = Integer.toString(descriptor);
        try {
            String file = Files.readSymbolicLink(process.resolve("fd").resolve(number))
                    .toString();
            Matcher socket = SOCKET.matcher(file);
            if (socket.matches()) {
                return Optional.of(new SocketWait(List.of(Long.parseLong(socket.group(1))), List.of()));
            }
            return file.equals(EPOLL)
                    ? Optional.of(ofSet(process.resolve("fdinfo").resolve(number)))
                    : Optional.empty();
        } catch (IOException closedOrNotPermitted) {
            return Optional.empty();
        }
    }

    private static SocketWait ofSet(Path set) throws IOException {
        List<Long> inodes = new ArrayList<>();
        List<Long> once = new ArrayList<>();
        try (BufferedReader lines = Files.newBufferedReader(set)) {
            for (String line = lines.readLine(); line != null && inodes.size() < MAX_ENTRIES; line = lines.readLine()) {
                Matcher entry = ENTRY.matcher(line);
                if (entry.matches()) {
                    long inode = Long.parseLong(entry.group(2), HEXADECIMAL);
                    inodes.add(inode);
                    if ((Long.parseLong(entry.group(1), HEXADECIMAL) & (EDGE_TRIGGERED | ONE_SHOT)) != 0) {
                        once.add(inode);
                    }
                }
            }
        }
        return new SocketWait(inodes, once);
    }
}
