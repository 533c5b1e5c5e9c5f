package org.naklab.messaging.feed;

import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;

/**
 * CRC-32C (Castagnoli, RFC 3720 appendix B.4) over the bytes of every sequenced message in feed order, header included, but for
 * its {@link EventTimes}: the same events have the same digest, however late they were sent. It differs when an event is missing,
 * doubled, changed or out of place. Not thread-safe; allocates nothing per message.
 */
public final class FeedDigest {
    private final CRC32C crc = new CRC32C();
    private long events;

    /**
     * Takes in one sequenced message.
     *
     * @param buffer one that wraps a heap array; copy a message out of a mapped buffer first
     */
    public void update(DirectBuffer buffer, int offset, int length) {
        byte[] array = buffer.byteArray();
        if (array == null) {
            throw new IllegalArgumentException(
                    "the digest reads heap arrays; copy the message out of its mapped buffer");
        }
        int begin = buffer.wrapAdjustment() + offset;
        int times = EventTimes.offsetInMessage(buffer, offset);
        if (times < 0) {
            crc.update(array, begin, length);
        } else {
            int afterTimes = times + EventTimes.BYTES;
            crc.update(array, begin, times);
            crc.update(array, begin + afterTimes, length - afterTimes);
        }
        events++;
    }

    /** The digest so far, 0 to 2^32 - 1. */
    public long value() {
        return crc.getValue();
    }

    /** Messages taken in. */
    public long events() {
        return events;
    }
}
