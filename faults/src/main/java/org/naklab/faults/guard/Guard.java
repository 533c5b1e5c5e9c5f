package org.naklab.faults.guard;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultException;
import org.naklab.faults.TargetProcess;

/**
 * A small shell process that waits for this one to end. Faults tell it beforehand how to undo what they are about to do to
 * the world outside; when the pipe to it breaks, whatever the reason, SIGKILL included, it undoes what has not been undone.
 * Started by the first promise. Thread-safe.
 */
public final class Guard implements AutoCloseable {
    private static final long CLOSE_TIMEOUT_S = 10;

    private @Nullable Process process;
    private int lastId;

    /** Have a stopped process continue. */
    public Promise toContinue(TargetProcess target) {
        return promise("cont " + target.pid() + " " + target.startTicks());
    }

    /** Have a helper process killed. */
    public Promise toKill(TargetProcess target) {
        return promise("kill " + target.pid() + " " + target.startTicks());
    }

    /** Have a file deleted. */
    public Promise toDelete(Path file) {
        String path = file.toAbsolutePath().toString();
        if (path.indexOf('\n') >= 0) {
            throw new FaultException("a path with a line break cannot be guarded");
        }
        return promise("delete " + path);
    }

    /** Have a thread of a process put back onto its processors. */
    public Promise toRestoreAffinity(TargetProcess target, long threadId, String cpuList) {
        return promise("affinity " + target.pid() + " " + target.startTicks() + " " + threadId + " " + cpuList);
    }

    private synchronized Promise promise(String action) {
        int id = ++lastId;
        tell("+ " + id + " " + action);
        return () -> kept(id);
    }

    private synchronized void kept(int id) {
        if (process != null) {
            tell("- " + id);
        }
    }

    private void tell(String line) {
        if (process == null) {
            process = start();
        }
        try {
            OutputStream pipe = process.getOutputStream();
            pipe.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            pipe.flush();
        } catch (IOException e) {
            throw new FaultException("the guard process is gone; nothing would undo the faults of a killed lab", e);
        }
    }

    private static Process start() {
        try (InputStream script = Guard.class.getResourceAsStream("guard.sh")) {
            if (script == null) {
                throw new FaultException("the jar has no guard.sh");
            }
            String text = new String(script.readAllBytes(), StandardCharsets.UTF_8);
            ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", text, "naklab-guard");
            builder.environment().remove("LD_AUDIT");
            return builder.redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new FaultException("cannot start the guard process", e);
        }
    }

    /** Lets the guard go; what was promised and not kept is undone first. */
    @Override
    public synchronized void close() {
        Process guard = process;
        process = null;
        if (guard == null) {
            return;
        }
        try {
            guard.getOutputStream().close();
            if (!guard.waitFor(CLOSE_TIMEOUT_S, TimeUnit.SECONDS)) {
                throw new FaultException("the guard process does not end");
            }
        } catch (IOException e) {
            throw new FaultException("cannot close the pipe to the guard process", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** To undo something. */
    @FunctionalInterface
    public interface Promise {
        /** It has been undone; the guard need not. */
        void kept();
    }
}
