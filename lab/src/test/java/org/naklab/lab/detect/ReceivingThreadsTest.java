package org.naklab.lab.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.agrona.collections.Long2LongHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ReceivingThreadsTest {
    private static final String GROUP = "239.192.25.8";
    private static final int PORT = 25_080;

    @TempDir
    Path directory;

    @Test
    void shouldFindTheThreadThatWaitsForTheSocket() throws Exception {
        try (StopReading receiver = StopReading.start(List.of(), StopReading.compile(directory), GROUP, PORT)) {
            assertThat(receiver.isReady()).isTrue();
            assertThat(new ReceivingThreads(receiver.pid()).find(sockets(receiver.pid())))
                    .extracting(ProcessThreads.NamedThread::tid)
                    .containsExactly((int) receiver.pid());
        }
    }

    @Test
    void shouldNotTellWhenNobodyWaitsForTheSocket() throws Exception {
        try (StopReading receiver = StopReading.start(List.of(), StopReading.compile(directory), GROUP, PORT)) {
            assertThat(receiver.isReady()).isTrue();
            receiver.stopReading();
            receiver.echo();
            assertThat(new ReceivingThreads(receiver.pid()).find(sockets(receiver.pid())))
                    .isEmpty();
        }
    }

    @Test
    void shouldNotTellOfAProcessWithoutSockets() {
        assertThat(new ReceivingThreads(ProcessHandle.current().pid()).find(Set.of()))
                .isEmpty();
    }

    private static Set<Long> sockets(long pid) {
        Long2LongHashMap open = Objects.requireNonNull(new ProcessSockets(pid).descriptorsByInode(descriptor -> false));
        assertThat(open).hasSize(1);
        return Set.copyOf(open.keySet());
    }
}
