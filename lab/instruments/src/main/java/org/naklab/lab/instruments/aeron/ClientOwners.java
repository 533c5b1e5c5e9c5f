package org.naklab.lab.instruments.aeron;

import io.aeron.AeronCounters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.agrona.concurrent.status.CountersReader;

/**
 * Finds the process of each client of a driver. The counters have the id of the client, but no process id: the client is in a process that has mapped the log
 * buffers of all its streams.
 */
final class ClientOwners {
    private ClientOwners() {}

    /**
     * Returns the log buffers that each client needs: those of its publications and of the streams that it subscribes to.
     *
     * @return registration ids of log buffers by the id of the client
     */
    static Map<Long, Set<Long>> logBuffersByClient(CountersReader counters) {
        Map<Long, Set<Long>> buffers = new HashMap<>();
        for (SubscriptionCounters subscription : SubscriptionCounters.find(counters)) {
            buffers.computeIfAbsent(subscription.clientId(), id -> new HashSet<>())
                    .add(subscription.logBufferId());
        }
        counters.forEach((counterId, typeId, key, label) -> {
            if (typeId == AeronCounters.DRIVER_PUBLISHER_LIMIT_TYPE_ID) {
                buffers.computeIfAbsent(counters.getCounterOwnerId(counterId), id -> new HashSet<>())
                        .add(key.getLong(0));
            }
        });
        return buffers;
    }

    /**
     * Returns the processes that may contain each client, the likeliest first. Clients that cannot be told apart are likely in the order of the
     * processes: ids of clients grow.
     *
     * @param byClient log buffers that each client needs
     * @param byProcess log buffers that clients in each process have mapped; processes in the order of their start
     */
    static Map<Long, List<Long>> resolve(Map<Long, Set<Long>> byClient, Map<Long, Set<Long>> byProcess) {
        Map<Long, List<Long>> owners = new HashMap<>();
        Map<List<Long>, Integer> turns = new HashMap<>();
        new TreeMap<>(byClient).forEach((client, needed) -> {
            List<Long> candidates = byProcess.entrySet().stream()
                    .filter(process -> !needed.isEmpty() && process.getValue().containsAll(needed))
                    .map(Map.Entry::getKey)
                    .toList();
            if (!candidates.isEmpty()) {
                int turn = turns.merge(candidates, 1, Integer::sum) - 1;
                List<Long> likeliestFirst = new ArrayList<>(candidates);
                likeliestFirst.add(0, likeliestFirst.remove(Math.min(turn, candidates.size() - 1)));
                owners.put(client, List.copyOf(likeliestFirst));
            }
        });
        return owners;
    }
}
