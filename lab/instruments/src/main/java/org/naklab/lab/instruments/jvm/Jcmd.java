package org.naklab.lab.instruments.jvm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.core.Printable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.ForeignFile;
import org.naklab.lab.instruments.sampling.ObserverProcesses;

/**
 * Asks other JVMs by {@code jcmd}. The process may only look like a JVM: so {@code jcmd} runs with the rights of the process's user, in a session and with an
 * environment that have nothing of this process, and the answer is data. All processes that give no answer share one time limit.
 */
final class Jcmd {
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);

    /** For a process that is asked when others have used up the time. */
    private static final long LEAST_NS = TimeUnit.SECONDS.toNanos(1);

    private static final int ROOT = 0;
    private static final int MAX_ERROR_CHARACTERS = 300;

    /** What remains of the time limit: an answer renews it. */
    private static long patienceNs = TIMEOUT_NS;

    private Jcmd() {}

    /**
     * Asks a JVM. An answer is short: the pipe holds it until {@code jcmd} has ended, or does not because the other JVM halts.
     *
     * @throws DetectException there is no {@code jcmd}, or the process refuses, or does not answer in time
     */
    static String ask(long pid, List<String> command) {
        String what = command.get(0).split("\\s", 2)[0];
        List<String> line = new ArrayList<>(asItsUser(pid));
        line.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
        line.add(Long.toString(pid));
        line.addAll(command);
        try {
            ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
            String path = builder.environment().get("PATH");
            builder.environment().clear();
            if (path != null) {
                builder.environment().put("PATH", path);
            }
            Process process = builder.start();
            ObserverProcesses.add(process.toHandle());
            await(process, "jcmd " + pid + ' ' + what);
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.exitValue() != 0) {
                throw new DetectException("jcmd " + pid + ' ' + what + " failed: " + shortened(answer));
            }
            return answer;
        } catch (IOException e) {
            throw new DetectException("cannot run jcmd: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DetectException("interrupted while waiting for jcmd", e);
        }
    }

    /** Returns an answer as it can stand in a message. */
    static String shortened(String answer) {
        String line = Printable.of(answer.strip().replaceAll("\\s*\\R\\s*", " "));
        return line.length() <= MAX_ERROR_CHARACTERS ? line : line.substring(0, MAX_ERROR_CHARACTERS) + " …";
    }

    /** Returns the command that gives up this process's rights; none for a process of the same user. */
    static List<String> asItsUser(long pid) {
        try {
            int user = ForeignFile.userOf(pid);
            int self = ForeignFile.userOf(ProcessHandle.current().pid());
            if (user == self || self != ROOT) {
                return List.of();
            }
            return List.of(
                    "setsid",
                    "setpriv",
                    "--reuid=" + user,
                    "--regid=" + ForeignFile.groupOf(pid),
                    "--clear-groups",
                    "--no-new-privs",
                    "--");
        } catch (IOException e) {
            throw new DetectException("process " + pid + " has ended: " + e.getMessage(), e);
        }
    }

    private static void await(Process process, String what) throws InterruptedException {
        long limitNs = limitNs();
        long beganNs = System.nanoTime();
        boolean hasEnded = false;
        try {
            hasEnded = process.waitFor(limitNs, TimeUnit.NANOSECONDS);
        } finally {
            if (!hasEnded) {
                process.destroyForcibly();
            }
        }
        if (!hasEnded) {
            spend(System.nanoTime() - beganNs);
            throw new DetectException(what + " did not end within " + TimeUnit.NANOSECONDS.toSeconds(limitNs) + " s");
        }
        renew();
    }

    private static synchronized long limitNs() {
        return Math.max(LEAST_NS, patienceNs);
    }

    private static synchronized void spend(long waitedNs) {
        patienceNs -= waitedNs;
    }

    private static synchronized void renew() {
        patienceNs = TIMEOUT_NS;
    }
}
