package org.naklab.subscriber;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.agrona.DirectBuffer;
import org.naklab.messaging.codec.MessageHeaderDecoder;
import org.naklab.messaging.codec.OrderBookSnapshotDecoder;
import org.naklab.messaging.publication.ContextPublication;
import org.naklab.messaging.publication.SendResult;

/** Answers as it is told, and writes down each snapshot that it accepts. */
final class RecordingPublication implements ContextPublication {
    final Deque<SendResult> answers = new ArrayDeque<>();
    final List<String> accepted = new ArrayList<>();
    int offers;
    long wakeUps;

    private final OrderBookSnapshotDecoder snapshot = new OrderBookSnapshotDecoder();

    @Override
    public SendResult offer(DirectBuffer buffer, int offset, int length) {
        offers++;
        SendResult answer = answers.isEmpty() ? SendResult.SENT : answers.remove();
        if (answer.accepted()) {
            snapshot.wrapAndApplyHeader(buffer, offset, new MessageHeaderDecoder());
            accepted.add(Snapshots.describe(snapshot));
        }
        return answer;
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public long blockedSends() {
        return 0;
    }

    @Override
    public long wakeUps() {
        return wakeUps;
    }

    @Override
    public int maxPayloadLength() {
        return 1_376;
    }
}
