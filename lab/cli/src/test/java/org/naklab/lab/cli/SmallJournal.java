package org.naklab.lab.cli;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.journaler.Journal;
import org.naklab.messaging.codec.MessageHeaderEncoder;
import org.naklab.messaging.codec.TrailerEncoder;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.FeedDigest;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.OrderEventCodec;
import org.naklab.messaging.feed.Side;

/** Writes journals of feed 4d, whole ones and others, without a feed. */
final class SmallJournal {
    private SmallJournal() {}

    /** Writes events 1 to {@code last}, of which those beyond {@code kept} but the last are left out; no trailer when it counts -1. */
    static Path write(Path directory, int last, int trailerCount, int kept) {
        OrderEventCodec codec = new OrderEventCodec();
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[OrderEventCodec.MAX_LENGTH]);
        FeedDigest digest = new FeedDigest();
        try (Journal journal =
                Journal.create(new Journal.Context().directory(directory).feedId(0x4d))) {
            long timestampNs = TimeUnit.DAYS.toNanos(20_000);
            for (int sequence = 1; sequence <= last; sequence++) {
                OrderEvent event = new OrderEvent();
                event.set(EventType.ADD, 1, sequence, sequence, Side.BUY, 100, 10);
                event.sequence = sequence;
                int length = codec.encode(event, buffer, 0);
                digest.update(buffer, 0, length);
                if (sequence < kept || sequence == last) {
                    journal.append(timestampNs, buffer, 0, length);
                }
            }
            if (trailerCount >= 0) {
                new TrailerEncoder()
                        .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                        .lastSequence(trailerCount)
                        .digest(digest.value());
                journal.append(
                        timestampNs, buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + TrailerEncoder.BLOCK_LENGTH);
            }
        }
        return directory;
    }
}
