package org.naklab.lab.instruments.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.instruments.threads.ProcessThreads.NamedThread;
import org.naklab.lab.instruments.threads.ThreadLabels;

@Timeout(60)
class DriverThreadsTest {
    private static final String DIRECTORY = "/dev/shm/aeron-md";

    @Test
    void shouldTellReceiverAndSenderApart() {
        DriverThreads threads = find("java", "driver-conducto", "sender", "receiver", "client-poll");

        assertThat(threads.receivers()).containsExactly("receiver");
        assertThat(threads.senders()).containsExactly("sender");
    }

    @Test
    void shouldTakeAThreadThatDoesAllForBoth() {
        assertThat(find("java", "/dev/shm/aeron-").receivers()).containsExactly("/dev/shm/aeron-");
        assertThat(find("java", "/dev/shm/aeron-").senders()).containsExactly("/dev/shm/aeron-");
        assertThat(find("aeronmd", "[sender, receiv").receivers()).containsExactly("[sender, receiv");
        assertThat(find("aeronmd", "[conductor, sen").senders()).containsExactly("[conductor, sen");
    }

    @Test
    void shouldFindNoneWithNamesOfTheirOwn() {
        assertThat(find("java", "my-context", "receivers-pool")).isEqualTo(DriverThreads.NONE);
    }

    private static DriverThreads find(String... names) {
        List<NamedThread> threads = Stream.of(names)
                .map(name -> new NamedThread(name.hashCode(), name))
                .toList();
        return DriverThreads.find(threads, DIRECTORY, new ThreadLabels());
    }
}
