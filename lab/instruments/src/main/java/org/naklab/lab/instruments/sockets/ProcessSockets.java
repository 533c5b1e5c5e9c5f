package org.naklab.lab.instruments.sockets;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.agrona.collections.Long2LongHashMap;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Reason;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.core.timeline.DetectException;

/** Lists the open sockets of a process, from {@code /proc/PID/fd}. */
public final class ProcessSockets {
    public static final long MISSING = -1;
    private static final String PREFIX = "socket:[";

    private final Path directory;

    public ProcessSockets(long pid) {
        directory = ProcPaths.of(pid, "fd");
    }

    /**
     * Returns the inode of every open socket, with one of the process's descriptors for it.
     *
     * @return null when the process is gone
     * @throws DetectException the process's descriptors may not be seen
     */
    @Nullable
    public Long2LongHashMap descriptorsByInode() {
        Long2LongHashMap found = new Long2LongHashMap(MISSING);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                int descriptor = Integer.parseInt(entry.getFileName().toString());
                long inode = inodeOf(entry);
                if (inode != MISSING) {
                    found.put(inode, descriptor);
                }
            }
            return found;
        } catch (NoSuchFileException gone) {
            return null;
        } catch (IOException e) {
            throw new DetectException("cannot list open files: " + Reason.of(e), e);
        }
    }

    /**
     * Returns the inode of each descriptor of a socket. A socket may have several: a process may duplicate its descriptors.
     *
     * @return empty when the process is gone
     * @throws DetectException the process's descriptors may not be seen
     */
    public Map<Integer, Long> inodesByDescriptor() {
        Map<Integer, Long> found = new HashMap<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                long inode = inodeOf(entry);
                if (inode != MISSING) {
                    found.put(Integer.parseInt(entry.getFileName().toString()), inode);
                }
            }
            return found;
        } catch (NoSuchFileException gone) {
            return Map.of();
        } catch (IOException e) {
            throw new DetectException("cannot list open files: " + Reason.of(e), e);
        }
    }

    /**
     * Returns the inode of the socket behind a link in a {@code fd} directory; {@link #MISSING} if it is no socket or no
     * longer exists.
     */
    static long inodeOf(Path link) throws IOException {
        String target;
        try {
            target = Files.readSymbolicLink(link).toString();
        } catch (NoSuchFileException closedMeanwhile) {
            return MISSING;
        }
        return target.startsWith(PREFIX) ? Long.parseLong(target, PREFIX.length(), target.length() - 1, 10) : MISSING;
    }
}
