package org.naklab.lab.instruments.aeron;

import io.aeron.AeronCounters;
import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2IntHashMap;
import org.agrona.concurrent.status.CountersReader;

/**
 * Finds the per-stream counters in a driver's counters file.
 *
 * <pre>
 * key: 0 registrationId:64  8 sessionId:32  12 streamId:32  16 channel length:32  20 channel
 * </pre>
 */
final class StreamCounters {
    static final int NONE = CountersReader.NULL_COUNTER_ID;

    private StreamCounters() {}

    /** Returns counter ids by type id, for each stream that has a counter of the wanted type. */
    static Map<Key, Int2IntHashMap> find(CountersReader counters, int wantedTypeId) {
        Map<Key, Int2IntHashMap> streams = all(counters);
        streams.values().removeIf(ids -> !ids.containsKey(wantedTypeId));
        return streams;
    }

    /** Returns counter ids by type id, for each stream of a publication or an image. */
    static Map<Key, Int2IntHashMap> all(CountersReader counters) {
        Map<Key, Int2IntHashMap> streams = new HashMap<>();
        counters.forEach((counterId, typeId, key, label) -> {
            if (isStreamCounter(typeId)) {
                streams.computeIfAbsent(decode(key), stream -> new Int2IntHashMap(NONE))
                        .put(typeId, counterId);
            }
        });
        return streams;
    }

    /**
     * Returns a fingerprint that changes when counters are allocated or freed: while it is the same, {@link #find} finds the
     * same.
     */
    static long fingerprint(CountersReader counters) {
        long fingerprint = 1;
        for (int id = 0; id <= counters.maxCounterId(); id++) {
            int state = counters.getCounterState(id);
            if (state == CountersReader.RECORD_UNUSED) {
                break;
            }
            fingerprint = 31 * fingerprint + state;
            fingerprint = 31 * fingerprint + counters.getCounterTypeId(id);
            fingerprint = 31 * fingerprint + counters.getCounterRegistrationId(id);
        }
        return fingerprint;
    }

    private static boolean isStreamCounter(int typeId) {
        return typeId == AeronCounters.DRIVER_RECEIVER_HWM_TYPE_ID
                || typeId == AeronCounters.DRIVER_RECEIVER_POS_TYPE_ID
                || typeId == AeronCounters.DRIVER_RECEIVER_NAKS_SENT_TYPE_ID
                || typeId == AeronCounters.DRIVER_SENDER_POSITION_TYPE_ID
                || typeId == AeronCounters.DRIVER_PUBLISHER_POS_TYPE_ID
                || typeId == AeronCounters.DRIVER_PUBLISHER_LIMIT_TYPE_ID
                || typeId == AeronCounters.DRIVER_SENDER_NAKS_RECEIVED_TYPE_ID;
    }

    static Key decode(DirectBuffer key) {
        int channelLength = key.getInt(16);
        return new Key(
                key.getLong(0), key.getInt(8), key.getInt(12), key.getStringWithoutLengthAscii(20, channelLength));
    }

    /**
     * Identifies the stream of one publisher in one driver.
     *
     * @param registrationId of the image or the publication in its driver
     * @param channel as requested from the driver, truncated to the length of a counter's key
     */
    record Key(long registrationId, int sessionId, int streamId, String channel) {}
}
