package org.naklab.messaging.feed;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.naklab.messaging.codec.AddOrderDecoder;
import org.naklab.messaging.codec.MessageHeaderDecoder;
import org.naklab.messaging.codec.TradingStatusDecoder;

/**
 * Reads and writes when a sequenced message was due by the schedule of its sender, and when the sender handed it to the transport.
 * Both are times of {@link System#nanoTime()}, which on Linux is CLOCK_MONOTONIC and the same for all processes of a machine, in
 * containers too: a receiver on the same machine may subtract them from its own. Allocates nothing.
 *
 * <p>Messages of schema versions before 2 have no times.
 */
public final class EventTimes {
    /** The value of a time that is not known. */
    public static final long UNKNOWN = AddOrderDecoder.dueNsNullValue();

    /** The longest delay that a message can carry, ns: 4.29 s. */
    public static final long MAX_SEND_DELAY_NS = AddOrderDecoder.sendDelayNsMaxValue();

    /** The bytes of the times in a block. */
    static final int BYTES = Long.BYTES + Integer.BYTES;

    private static final int FIRST_VERSION = AddOrderDecoder.dueNsSinceVersion();
    private static final int DELAY_OFFSET = Long.BYTES;
    private static final int UNKNOWN_DELAY = (int) AddOrderDecoder.sendDelayNsNullValue();

    private EventTimes() {}

    /**
     * Writes the times into an encoded event of this version.
     *
     * @param dueNs when it was due
     * @param sentNs when it was handed to the transport; a time more than {@link #MAX_SEND_DELAY_NS} after {@code dueNs} is written as
     *     not known
     */
    public static void put(MutableDirectBuffer buffer, int offset, long dueNs, long sentNs) {
        int at = offset + offsetInMessage(buffer, offset);
        long delayNs = Math.max(0, sentNs - dueNs);
        buffer.putLong(at, dueNs, LITTLE_ENDIAN);
        buffer.putInt(at + DELAY_OFFSET, delayNs > MAX_SEND_DELAY_NS ? UNKNOWN_DELAY : (int) delayNs, LITTLE_ENDIAN);
    }

    /** Returns when an event was due, ns; {@link #UNKNOWN} if the message does not say. */
    public static long dueNs(DirectBuffer buffer, int offset) {
        int at = offsetInMessage(buffer, offset);
        return at < 0 ? UNKNOWN : buffer.getLong(offset + at, LITTLE_ENDIAN);
    }

    /** Returns when an event was handed to the transport, ns; {@link #UNKNOWN} if the message does not say. */
    public static long sentNs(DirectBuffer buffer, int offset) {
        int at = offsetInMessage(buffer, offset);
        if (at < 0) {
            return UNKNOWN;
        }
        int delayNs = buffer.getInt(offset + at + DELAY_OFFSET, LITTLE_ENDIAN);
        return delayNs == UNKNOWN_DELAY
                ? UNKNOWN
                : buffer.getLong(offset + at, LITTLE_ENDIAN) + Integer.toUnsignedLong(delayNs);
    }

    /** Returns where the times begin, in bytes from the beginning of the SBE header; -1 if the message has none. */
    static int offsetInMessage(DirectBuffer buffer, int offset) {
        if (unsignedShort(buffer, offset + MessageHeaderDecoder.versionEncodingOffset()) < FIRST_VERSION) {
            return -1;
        }
        int templateId = unsignedShort(buffer, offset + MessageHeaderDecoder.templateIdEncodingOffset());
        return MessageHeaderDecoder.ENCODED_LENGTH
                + (templateId == TradingStatusDecoder.TEMPLATE_ID
                        ? TradingStatusDecoder.dueNsEncodingOffset()
                        : AddOrderDecoder.dueNsEncodingOffset());
    }

    private static int unsignedShort(DirectBuffer buffer, int offset) {
        return Short.toUnsignedInt(buffer.getShort(offset, LITTLE_ENDIAN));
    }
}
