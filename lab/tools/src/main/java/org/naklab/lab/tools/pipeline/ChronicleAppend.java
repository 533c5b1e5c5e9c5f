package org.naklab.lab.tools.pipeline;

import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.lab.core.Units;

/** Appends the feed's messages to a plain Chronicle Queue, one excerpt each and nothing added. */
final class ChronicleAppend implements Candidate {
    private static final int MAX_MESSAGE_BYTES = 256;

    private final EncodedFeed feed;
    private final BenchDirectory directory;

    ChronicleAppend(EncodedFeed feed, BenchDirectory directory) {
        this.feed = feed;
        this.directory = directory;
    }

    @Override
    public double perSecond() {
        Bytes<?> excerpt = Bytes.allocateDirect(MAX_MESSAGE_BYTES);
        UnsafeBuffer view = new UnsafeBuffer(excerpt.addressForWrite(0), MAX_MESSAGE_BYTES);
        try (ChronicleQueue queue =
                        SingleChronicleQueueBuilder.binary(directory.disk()).build();
                ExcerptAppender appender = queue.createAppender()) {
            long beginNs = System.nanoTime();
            for (int i = 0; i < feed.events(); i++) {
                int length = feed.length(i);
                view.putBytes(0, feed.bytes(), feed.offset(i), length);
                excerpt.readPositionRemaining(0, length);
                appender.writeBytes(excerpt);
            }
            return feed.events() * Units.NS_PER_S / (System.nanoTime() - beginNs);
        } finally {
            excerpt.releaseLast();
        }
    }
}
