package org.naklab.exchange;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.agrona.DirectBuffer;
import org.naklab.messaging.codec.HeartbeatDecoder;
import org.naklab.messaging.codec.MessageHeaderDecoder;
import org.naklab.messaging.codec.TrailerDecoder;
import org.naklab.messaging.feed.EventTimes;
import org.naklab.messaging.feed.FeedDigest;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.OrderEventCodec;
import org.naklab.messaging.publication.ContextPublication;
import org.naklab.messaging.publication.SendResult;

/** Answers as it is told, and writes down what it took as text. */
final class FakePublication implements ContextPublication {
    final Deque<SendResult> answers = new ArrayDeque<>();
    final List<String> taken = new ArrayList<>();
    final List<Long> dueNs = new ArrayList<>();
    final List<Long> sentNs = new ArrayList<>();
    final FeedDigest digest = new FeedDigest();
    long wakeUps;
    long offers;
    long blocked;

    private final OrderEventCodec codec = new OrderEventCodec();
    private final OrderEvent event = new OrderEvent();

    @Override
    public SendResult offer(DirectBuffer buffer, int offset, int length) {
        offers++;
        SendResult answer = answers.isEmpty() ? SendResult.SENT : answers.pop();
        blocked += answer == SendResult.BLOCKED ? 1 : 0;
        if (answer.accepted()) {
            taken.add(textOf(buffer, offset, length));
        }
        return answer;
    }

    private String textOf(DirectBuffer buffer, int offset, int length) {
        if (codec.decode(buffer, offset, event)) {
            digest.update(buffer, offset, length);
            dueNs.add(EventTimes.dueNs(buffer, offset));
            sentNs.add(EventTimes.sentNs(buffer, offset));
            return "#" + event.sequence + " " + event.type;
        }
        MessageHeaderDecoder header = new MessageHeaderDecoder().wrap(buffer, offset);
        if (header.templateId() == HeartbeatDecoder.TEMPLATE_ID) {
            return "heartbeat "
                    + new HeartbeatDecoder()
                            .wrapAndApplyHeader(buffer, offset, header)
                            .sequence();
        }
        TrailerDecoder trailer = new TrailerDecoder().wrapAndApplyHeader(buffer, offset, header);
        return "trailer " + trailer.lastSequence() + " " + trailer.digest();
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public long blockedSends() {
        return blocked;
    }

    @Override
    public long wakeUps() {
        return wakeUps;
    }

    @Override
    public int maxPayloadLength() {
        return 1376;
    }
}
