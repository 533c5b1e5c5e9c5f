package org.naklab.lab.instruments.kernel.datagrams;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SocketReceiptsTest {
    private static final long SECOND_NS = 1_000_000_000L;

    private final SocketReceipts receipts = new SocketReceipts();

    @Test
    void shouldKnowAllWhoTakeTheDatagramsOfASocketInTurns() {
        receipts.onReceipts(7, "worker-1", SECOND_NS);
        receipts.onReceipts(7, "worker-2", 2 * SECOND_NS);
        receipts.onReceipts(8, "other", 2 * SECOND_NS);

        assertThat(receipts.of(7)).containsExactlyInAnyOrder("worker-1", "worker-2");
        assertThat(receipts.of(9)).isEmpty();
    }

    /** The thread that emptied the socket when the program began does not read it. A reader that stands still has nobody who receives in its place. */
    @Test
    void shouldForgetWhoHasNotReceivedWhileOthersHave() {
        receipts.onReceipts(7, "main", SECOND_NS);
        receipts.onReceipts(7, "recv", 12 * SECOND_NS);

        assertThat(receipts.of(7)).containsExactly("recv");
    }
}
