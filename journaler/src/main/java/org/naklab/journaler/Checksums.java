package org.naklab.journaler;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The chain of checksums of a journal's records. Each is the CRC-32C over the checksum of the record before it, zero for the
 * first, and all of the record's own bytes; it is the record's last field. So a record that was changed, lost, or taken from
 * another journal is noticed. Not thread-safe; allocates nothing per record.
 *
 * <p>A record lies in a byte array from {@link #RECORD_OFFSET} on; the four bytes before it are the chain's.
 */
final class Checksums {
    static final int RECORD_OFFSET = Integer.BYTES;

    private static final byte[] PREFIX = WireFields.prefix("crc", WireFields.UINT32);

    /** Size of the checksum field in a record, in bytes. */
    static final int FIELD_BYTES = PREFIX.length + Integer.BYTES;

    private final CRC32C crc = new CRC32C();
    private int last;

    /**
     * Ends a record with its checksum, and takes it for the one before the next.
     *
     * @param record has room for the checksum
     * @param length the record's bytes so far
     * @return its length with the checksum
     */
    int seal(UnsafeBuffer record, int length) {
        last = compute(record, length);
        record.putBytes(RECORD_OFFSET + length, PREFIX);
        record.putInt(RECORD_OFFSET + length + PREFIX.length, last, LITTLE_ENDIAN);
        return length + FIELD_BYTES;
    }

    /** Returns whether the record ends with a checksum field, be its value right or wrong. */
    static boolean isSealed(UnsafeBuffer record, int length) {
        return length >= FIELD_BYTES && WireFields.isAt(record, RECORD_OFFSET + length - FIELD_BYTES, PREFIX);
    }

    /**
     * Checks a sealed record. What its checksum says counts for the next one even when it is wrong, so that one damage is not
     * reported with every record that follows.
     */
    boolean check(UnsafeBuffer record, int length) {
        int expected = compute(record, length - FIELD_BYTES);
        last = record.getInt(RECORD_OFFSET + length - Integer.BYTES, LITTLE_ENDIAN);
        return last == expected;
    }

    private int compute(UnsafeBuffer record, int length) {
        record.putInt(0, last, LITTLE_ENDIAN);
        crc.reset();
        crc.update(record.byteArray(), 0, RECORD_OFFSET + length);
        return (int) crc.getValue();
    }
}
