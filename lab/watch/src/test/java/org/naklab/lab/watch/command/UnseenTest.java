package org.naklab.lab.watch.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.instruments.aeron.AeronUnit;
import org.naklab.lab.instruments.aeron.UnitMember;
import org.naklab.lab.instruments.sampling.SocketIdentity;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.lab.watch.WatchFindings;
import org.naklab.lab.watch.WatchSummary;

/** Nothing that was found is nothing that happened only if all was seen. */
@Timeout(60)
final class UnseenTest {
    private static final WatchTarget TARGET = WatchTarget.of(4711);
    private static final List<SocketSummary> SOCKETS = List.of(new SocketSummary(
            new SocketIdentity(1, false, "127.0.0.1", 40_123), List.of(), 0, 0, 0, 212_992, 0, Headroom.NONE));

    @Test
    void shouldSayNothingIfAllWasSeen() {
        assertThat(Unseen.lines(TARGET, SOCKETS, null)).isEmpty();
        assertThat(outcome(SOCKETS, null)).isEqualTo(WatchOutcome.QUIET);
    }

    /** A wrong process id, or that of a script which has started the receiver. */
    @Test
    void shouldNotCallAProcessQuietThatHadNoSocket() {
        assertThat(Unseen.lines(TARGET, List.of(), null))
                .singleElement()
                .asString()
                .startsWith("process 4711 had no UDP socket");
        assertThat(outcome(List.of(), null)).isEqualTo(WatchOutcome.UNKNOWN);
    }

    /** It may have a stream over IPC only. */
    @Test
    void shouldNotAskForTheSocketOfAnAeronClient() {
        AeronUnit unit = AeronUnit.of(Path.of("/dev/shm/aeron-md"));
        WatchTarget client = WatchTarget.of(new UnitMember(unit, 12, false));
        assertThat(Unseen.lines(client, List.of(), null)).isEmpty();
    }

    /** It may have failed at its beginning, or a thread of the lab may have died. */
    @Test
    void shouldNotCallAWatchQuietAPartOfWhichFailed() {
        IllegalStateException failure = new IllegalStateException("no room");
        assertThat(Unseen.lines(TARGET, SOCKETS, failure))
                .containsExactly("a part of the lab failed: java.lang.IllegalStateException: no room");
        assertThat(outcome(SOCKETS, failure)).isEqualTo(WatchOutcome.UNKNOWN);
        assertThat(WatchSummary.lines(findings(SOCKETS, failure)))
                .doesNotContain("no stall of a receiving thread, and no lost datagram");
    }

    private static WatchOutcome outcome(List<SocketSummary> sockets, @Nullable Throwable failure) {
        return WatchOutcome.of(List.of(findings(sockets, failure)));
    }

    private static WatchFindings findings(List<SocketSummary> sockets, @Nullable Throwable failure) {
        List<String> blind = Unseen.lines(TARGET, sockets, failure);
        return WatchFindings.of("4711", new Interval(0, 4_200_000_000L), List.of(), sockets, Map.of(), blind);
    }
}
