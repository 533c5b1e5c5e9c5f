package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.DatagramEvent.Discarded;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.instruments.kernel.datagrams.Feed;
import org.naklab.lab.instruments.linux.NetworkNamespace;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.testing.Await;
import org.naklab.testing.host.Installed;

/** Datagrams that are discarded between two network namespaces of this host, as between two containers. */
@Timeout(120)
class LiveNamespaceDropTest {
    private static final String ADDRESS = "10.77.1.2";
    private static final int PORT = 25_017;
    private static final int DATAGRAMS = 40;

    /** Drops what is UDP over IPv4: the 12th byte tells the protocol of the frame, the 23rd that of the packet. */
    private static final String TC_PROGRAM = "6,40 0 0 12,21 0 3 2048,48 0 0 23,21 0 1 17,6 0 0 2,6 0 0 4294967295,";

    private static final String XDP_PROGRAM = """
            struct xdp_md { unsigned int data, data_end; };
            __attribute__((section("xdp"), used)) int drop(struct xdp_md *md)
            {
                unsigned char *frame = (void *) (long) md->data, *end = (void *) (long) md->data_end;
                return frame + 24 <= end && frame[12] == 8 && frame[13] == 0 && frame[23] == 17 ? 1 : 2;
            }
            """;

    @TempDir
    private Path directory;

    private final List<Process> namespaces = new ArrayList<>();
    private final EventLog events = new EventLog();
    private long receiver;
    private long sender;

    @BeforeEach
    void connectTwoNamespaces() throws Exception {
        assumeThat(KernelRecorder.whyNot(RecorderSource.BPF)).isEmpty();
        for (String program : List.of("ip", "tc", "unshare", "nsenter", "bash")) {
            Installed.assume(program);
        }
        receiver = namespace();
        sender = namespace();
        run(
                "ip",
                "link",
                "add",
                "sending",
                "netns",
                text(sender),
                "type",
                "veth",
                "peer",
                "receiving",
                "netns",
                text(receiver));
        in(receiver, "ip", "addr", "add", ADDRESS + "/30", "dev", "receiving");
        in(receiver, "ip", "link", "set", "receiving", "up");
        in(sender, "ip", "addr", "add", "10.77.1.1/30", "dev", "sending");
        in(sender, "ip", "link", "set", "sending", "up");
    }

    /** The namespaces and their link end with the processes. */
    @AfterEach
    void endNamespaces() {
        namespaces.forEach(process -> process.destroyForcibly().onExit().join());
    }

    @Test
    void shouldBookToTheReceiverWhatTrafficControlDropped() throws Exception {
        in(receiver, "tc", "qdisc", "add", "dev", "receiving", "clsact");
        in(receiver, "tc", "filter", "add", "dev", "receiving", "ingress", "bpf", "da", "bytecode", TC_PROGRAM);

        assertThat(discarded()).allMatch(each -> each.place().reason().equals("TC_INGRESS"));
    }

    @Test
    void shouldBookToTheReceiverWhatGenericXdpDropped() throws Exception {
        Installed.assume("clang");
        Path source = Files.writeString(directory.resolve("drop.c"), XDP_PROGRAM);
        Path object = directory.resolve("drop.o");
        run("clang", "-O2", "-target", "bpf", "-c", source.toString(), "-o", object.toString());
        in(receiver, "ip", "link", "set", "dev", "receiving", "xdpgeneric", "obj", object.toString(), "sec", "xdp");

        assertThat(discarded()).allMatch(each -> each.place().location().equals("do_xdp_generic"));
    }

    /** What is discarded before the link never comes to the receiver's namespace: that of its sender is on this host, too. */
    @Test
    void shouldTellWhatWasDiscardedOnTheSideOfTheSender() throws Exception {
        List<KernelInstrument.Subject> subjects = List.of(KernelInstrument.Subject.ofAllThreads(receiver, "receiver"));
        try (KernelInstrument instrument =
                KernelInstrument.start(subjects, new Feed(List.of(ADDRESS), PORT, ""), events)) {
            send(1);
            Await.until("the feed has come in", () -> count() == 1);
            in(sender, "tc", "qdisc", "add", "dev", "sending", "clsact");
            in(sender, "tc", "filter", "add", "dev", "sending", "egress", "bpf", "da", "bytecode", TC_PROGRAM);
            send(DATAGRAMS);
            Await.until("all datagrams", () -> count() >= 1 + DATAGRAMS);
            instrument.finish();
        }
        List<Discarded> atSender = ofPort().stream()
                .filter(each -> each.packet().otherNamespace() != null)
                .toList();
        assertThat(atSender.stream().mapToLong(Discarded::count).sum()).isEqualTo(DATAGRAMS);
        assertThat(atSender).allSatisfy(each -> {
            assertThat(each.packet().otherNamespace()).isEqualTo(NetworkNamespace.inodeOf(sender));
            assertThat(each.place().reason()).isEqualTo("TC_EGRESS");
            assertThat(each.isBeforeSocket()).isTrue();
        });
    }

    private void send(int datagrams) throws IOException {
        String loop = "for ((i = 0; i < " + datagrams + "; i++)); do echo datagram > /dev/udp/" + ADDRESS + "/" + PORT
                + "; done";
        in(sender, "bash", "-c", loop);
    }

    /** Sends the datagrams; returns what was reported of them, when all were. */
    private List<Discarded> discarded() throws Exception {
        List<KernelInstrument.Subject> subjects = List.of(KernelInstrument.Subject.ofAllThreads(receiver, "receiver"));
        try (KernelInstrument instrument = KernelInstrument.start(subjects, events)) {
            send(DATAGRAMS);
            Await.until("all datagrams", () -> count() >= DATAGRAMS);
            instrument.finish();
        }
        assertThat(count()).isEqualTo(DATAGRAMS);
        assertThat(ofPort()).allSatisfy(each -> {
            assertThat(each.packet().isAtReceiver()).isTrue();
            assertThat(each.isBeforeSocket()).isTrue();
            assertThat(each.flow().destination()).isEqualTo(ADDRESS);
        });
        return ofPort();
    }

    private List<Discarded> ofPort() {
        return events.all().stream()
                .flatMap(TimelineEvent.only(Discarded.class))
                .filter(each -> each.port() == PORT)
                .toList();
    }

    private long count() {
        return ofPort().stream().mapToLong(Discarded::count).sum();
    }

    /** Returns the id of a process in a network namespace of its own. */
    private long namespace() throws IOException {
        Process process = new ProcessBuilder("unshare", "--net", "cat").start();
        namespaces.add(process);
        long own = NetworkNamespace.inodeOf(ProcessHandle.current().pid());
        Await.until("a network namespace", () -> !process.isAlive() || NetworkNamespace.inodeOf(process.pid()) != own);
        assumeThat(process.isAlive()).as("may make a network namespace").isTrue();
        return process.pid();
    }

    private static String text(long pid) {
        return Long.toString(pid);
    }

    private static void in(long namespace, String... command) throws IOException {
        List<String> inside = new ArrayList<>(List.of("nsenter", "--target", text(namespace), "--net"));
        inside.addAll(Arrays.asList(command));
        run(inside.toArray(String[]::new));
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.onExit().join().exitValue()).as(output).isZero();
    }
}
