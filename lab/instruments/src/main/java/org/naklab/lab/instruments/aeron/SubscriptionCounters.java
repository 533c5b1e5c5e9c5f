package org.naklab.lab.instruments.aeron;

import io.aeron.AeronCounters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.agrona.collections.Int2IntHashMap;
import org.agrona.concurrent.status.CountersReader;

/**
 * The counters of one stream that a client subscribes to.
 *
 * @param key registration id of the subscription, and the stream
 * @param subscriberId counter of the position up to which the client has polled
 * @param sourceId counter of the position up to which there is something to poll
 * @param limitId counter of the position up to which the publisher may go; {@link StreamCounters#NONE}: unknown, of a stream from the network
 * @param logBufferId registration id of the image or publication, which names the log buffer
 * @param clientId of the client that subscribes
 */
record SubscriptionCounters(
        StreamCounters.Key key, int subscriberId, int sourceId, int limitId, long logBufferId, long clientId) {
    private static final String IPC = "aeron:ipc";
    private static final String SPY = "aeron-spy:";

    /** Returns the subscriptions of all clients; not those whose publisher is gone. */
    static List<SubscriptionCounters> find(CountersReader counters) {
        Map<StreamCounters.Key, Int2IntHashMap> sources = StreamCounters.all(counters);
        List<SubscriptionCounters> found = new ArrayList<>();
        counters.forEach((counterId, typeId, key, label) -> {
            if (typeId == AeronCounters.DRIVER_SUBSCRIBER_POSITION_TYPE_ID) {
                of(counters, counterId, StreamCounters.decode(key), sources).ifPresent(found::add);
            }
        });
        return found;
    }

    private static Optional<SubscriptionCounters> of(
            CountersReader counters,
            int counterId,
            StreamCounters.Key key,
            Map<StreamCounters.Key, Int2IntHashMap> sources) {
        boolean isLocal = key.channel().startsWith(IPC) || key.channel().startsWith(SPY);
        int sourceType =
                isLocal ? AeronCounters.DRIVER_PUBLISHER_POS_TYPE_ID : AeronCounters.DRIVER_RECEIVER_POS_TYPE_ID;
        return sources.entrySet().stream()
                .filter(source -> source.getKey().sessionId() == key.sessionId()
                        && source.getKey().streamId() == key.streamId()
                        && source.getValue().containsKey(sourceType))
                .min(Comparator.comparing((Map.Entry<StreamCounters.Key, Int2IntHashMap> source) ->
                                !source.getKey().channel().equals(key.channel()))
                        .thenComparing(source -> source.getKey().registrationId()))
                .map(source -> new SubscriptionCounters(
                        key,
                        counterId,
                        source.getValue().get(sourceType),
                        isLocal
                                ? source.getValue().get(AeronCounters.DRIVER_PUBLISHER_LIMIT_TYPE_ID)
                                : StreamCounters.NONE,
                        source.getKey().registrationId(),
                        counters.getCounterOwnerId(counterId)));
    }

    /** Returns whether publisher and subscriber are on the same machine, without a network between them. */
    boolean isIpc() {
        return key.channel().startsWith(IPC);
    }

    /** Returns whether both counters are still those of this subscription. */
    boolean isAllocated(CountersReader counters) {
        return is(counters, subscriberId, key.registrationId()) && is(counters, sourceId, logBufferId);
    }

    private static boolean is(CountersReader counters, int counterId, long registrationId) {
        return counters.getCounterState(counterId) == CountersReader.RECORD_ALLOCATED
                && counters.getCounterRegistrationId(counterId) == registrationId;
    }
}
