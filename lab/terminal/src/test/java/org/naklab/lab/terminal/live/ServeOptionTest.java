package org.naklab.lab.terminal.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.instruments.series.SampleConsumer;
import org.naklab.lab.report.live.LiveFeed;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Timeout(60)
final class ServeOptionTest {
    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();

    @Command
    private static final class Words {
        @Mixin
        private ServeOption serve;

        @Parameters
        private List<String> words = List.of();
    }

    private static Words parse(String... arguments) {
        return CommandLine.populateCommand(new Words(), arguments);
    }

    private LiveView start(String... arguments) {
        return parse(arguments).serve.start(LiveFeed.ofWatch("process 4711"), errors::add);
    }

    @Test
    void shouldLeaveTheNextWordToTheCommand() {
        assertThat(parse("--serve", "4711").words).containsExactly("4711");
        assertThat(parse("4711", "--serve").words).containsExactly("4711");
        assertThat(parse("--serve=0", "4711").words).containsExactly("4711");
    }

    @Test
    void shouldServeAtAnyFreePortOfLoopback() {
        try (LiveView view = start("--serve=0")) {
            assertThat(view.url()).get().asString().matches("http://127\\.0\\.0\\.1:\\d+/film\\.html");
            List<SampleConsumer> consumers = view.open();
            assertThat(consumers).hasSize(1);
            consumers.forEach(SampleConsumer::close);
        }
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldHaveATokenAtAnAddressOfOthers() {
        try (LiveView view = start("--serve=0.0.0.0:0")) {
            assertThat(view.url()).get().asString().matches("http://[0-9.]+:\\d+/[A-Za-z0-9_-]{22}/film\\.html");
        }
    }

    @Test
    void shouldCostNothingWithoutTheOption() throws InterruptedException {
        try (LiveView view = start("4711")) {
            assertThat(view.url()).isEmpty();
            assertThat(view.open()).isEmpty();
            view.awaitClosed();
        }
    }

    @Test
    void shouldSayThatAPortIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> start("--serve=" + taken.getLocalPort()))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageStartingWith(
                            "--serve: cannot listen on port " + taken.getLocalPort() + " of 127.0.0.1: ")
                    .hasMessageEndingWith("; --serve=PORT names another port");
        }
        assertThatThrownBy(() -> start("--serve=no.such.host.invalid:0"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("no host is named");
    }
}
