package org.naklab.lab.instruments.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.naklab.lab.core.Reason;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.core.timeline.DetectException;

/** The network that a process sees. */
public final class NetworkNamespace {
    private final Path link;

    public NetworkNamespace(long pid) {
        link = ProcPaths.of(pid, "ns", "net");
    }

    /**
     * Returns the inode by which the kernel identifies the network namespace of a process.
     *
     * @throws DetectException the process is gone, or its namespace may not be read
     */
    public static long inodeOf(long pid) {
        Path link = new NetworkNamespace(pid).link;
        try {
            String name = Files.readSymbolicLink(link).toString();
            return Long.parseLong(name.substring(name.indexOf('[') + 1, name.length() - 1));
        } catch (IOException e) {
            throw new DetectException("cannot read the network namespace: " + Reason.of(e), e);
        }
    }

    /**
     * Opens something in the namespace. A thread that has entered one cannot be trusted with anything else, so it is one of
     * its own and ends; what it opened stays in the namespace.
     *
     * @throws DetectException the namespace may not be entered (it takes CAP_SYS_ADMIN)
     */
    public <T> T open(Supplier<T> opener) {
        if (isOwn()) {
            return opener.get();
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> completeInside(opener, result), "enter-netns");
        thread.start();
        try {
            return result.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof DetectException cause ? cause : e;
        }
    }

    private <T> void completeInside(Supplier<T> opener, CompletableFuture<T> result) {
        try {
            result.complete(enterAnd(opener));
        } catch (DetectException e) {
            result.completeExceptionally(e);
        }
    }

    private boolean isOwn() {
        try {
            return Files.readSymbolicLink(link).equals(Files.readSymbolicLink(Path.of("/proc/self/ns/net")));
        } catch (IOException e) {
            throw new DetectException("cannot read the network namespace: " + Reason.of(e), e);
        }
    }

    private <T> T enterAnd(Supplier<T> opener) {
        int fd = Libc.open(link.toString(), Libc.O_RDONLY | Libc.O_CLOEXEC);
        if (fd < 0) {
            throw new DetectException("cannot open " + link + ": " + Libc.lastError());
        }
        try {
            if (Libc.setns(fd, Libc.CLONE_NEWNET) != 0) {
                throw new DetectException("cannot enter " + link + ": " + Libc.lastError());
            }
            return opener.get();
        } finally {
            Libc.close(fd);
        }
    }
}
