package org.naklab.lab.instruments.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.instruments.threads.ProcessThreads;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ThreadCallTest {
    @TempDir
    private Path directory;

    @Test
    void shouldNameTheFileWhoseLockAThreadWaitsFor() throws IOException, InterruptedException {
        assumeThat(Path.of("/usr/bin/flock")).exists();
        Path file = Files.createFile(directory.resolve("a.lock"));
        Process holder = new ProcessBuilder("flock", file.toString(), "sh", "-c", "echo; exec cat")
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(holder.inputReader().readLine()).isEmpty();
            Process waiter = new ProcessBuilder("flock", file.toString(), "true").start();
            ThreadCall call = await(waiter);
            assertThat(call.name()).isEqualTo("flock");
            assertThat(call.lockedFile(waiter.pid())).contains(file.toRealPath());
            holder.getOutputStream().close();
            assertThat(waiter.waitFor()).isZero();
        } finally {
            holder.destroyForcibly().waitFor();
        }
    }

    private static ThreadCall await(Process waiter) {
        Optional<ThreadCall> call = Optional.empty();
        while (waiter.isAlive()
                && call.filter(any -> any.kind() == ThreadCall.Kind.FILE_LOCK).isEmpty()) {
            Thread.onSpinWait();
            call = ThreadCall.read(waiter.pid(), (int) waiter.pid());
        }
        return call.orElseThrow();
    }

    @Test
    void shouldTellAWaitForALockFromOtherUsesOfFcntl() {
        assumeThat(System.getProperty("os.arch")).isEqualTo("amd64");
        assertThat(ThreadCall.parse("72 0x5 0x7 0x7f00 0x0 0x0 0x0 0x7ffe 0x7f01"))
                .contains(new ThreadCall(ThreadCall.Kind.FILE_LOCK, "fcntl(F_SETLKW)", 5));
        assertThat(ThreadCall.parse("72 0x5 0x6 0x7f00 0x0 0x0 0x0 0x7ffe 0x7f01"))
                .map(ThreadCall::kind)
                .contains(ThreadCall.Kind.OTHER);
        assertThat(ThreadCall.parse("232 0x5 0x7 0x7f00 0x0 0x0 0x0 0x7ffe 0x7f01"))
                .contains(new ThreadCall(ThreadCall.Kind.POLL, "epoll_wait", -1));
        assertThat(ThreadCall.parse("running")).map(ThreadCall::kind).contains(ThreadCall.Kind.RUNNING);
        assertThat(ThreadCall.parse("-1 0x7ffe 0x7f01")).map(ThreadCall::kind).contains(ThreadCall.Kind.RUNNING);
        assertThat(ThreadCall.parse("")).isEmpty();
    }

    @Test
    void shouldFindAThreadByItsName() throws IOException {
        long pid = ProcessHandle.current().pid();
        String name = Files.readString(Path.of("/proc/self/task", Long.toString(pid), "comm"))
                .strip();
        assertThat(new ProcessThreads(pid).find(name)).isPresent();
        assertThat(new ProcessThreads(pid).find("no-such-thread")).isEmpty();
        assertThat(ThreadCall.read(pid, -1)).isEmpty();
    }
}
