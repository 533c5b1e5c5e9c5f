package org.naklab.lab.records;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;

/**
 * The document of {@code --json}, with which {@code run.json} begins. Its keys are a contract.
 *
 * @param stalls of 20 ms or more after the warm-up, as they began
 * @param runDirectory where the run left its files; {@code null}: the record does not tell
 */
public record RunDocument(
        @JsonUnwrapped RunCase runCase,
        @JsonUnwrapped Finding finding,
        Messages messages,
        @JsonUnwrapped Counts counts,
        List<Stall> stalls,
        @Nullable String runDirectory) {
    /**
     * Contains the verdict and the diagnosis.
     *
     * @param verdict of the scenario's prediction; {@code null}: the run ended without one
     * @param diagnosis the cause that the evidence comes to
     */
    public record Finding(@Nullable String verdict, String diagnosis) {
        public Finding {
            diagnosis = Absent.orUnknown(diagnosis);
        }
    }

    /**
     * Contains the counts of all processes.
     *
     * @param naks of all subscribers
     * @param datagramsDropped by full sockets of the subscribers
     * @param retransmits sent by the exchange
     * @param blockedSends that a rate limit refused, of all senders
     * @param maxSocketDepthBytes of the deepest of the subscribers' sockets
     */
    public record Counts(
            long naks, long datagramsDropped, long retransmits, long blockedSends, long maxSocketDepthBytes) {}

    /**
     * Counts of events.
     *
     * @param received by the market data service
     * @param journaled by the market data service
     * @param missing at the subscriber that missed most
     * @param duplicated at all subscribers
     * @param reordered at all subscribers
     * @param receivers the counts of each subscriber; empty in records of earlier versions, whose {@code missing} is of all subscribers
     */
    public record Messages(
            long published,
            long received,
            long journaled,
            long missing,
            long duplicated,
            long reordered,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Receiver> receivers) {
        /** No messages were counted. */
        public static final Messages NONE = new Messages(0, 0, 0, List.of());

        public Messages {
            receivers = Absent.orNone(receivers);
        }

        /** Counts the events of a run. */
        public Messages(long published, long received, long journaled, List<Receiver> receivers) {
            this(
                    published,
                    received,
                    journaled,
                    receivers.stream().mapToLong(Receiver::missing).max().orElse(0),
                    receivers.stream().mapToLong(Receiver::duplicated).sum(),
                    receivers.stream().mapToLong(Receiver::reordered).sum(),
                    receivers);
        }

        /** Returns what was wrong at each subscriber in one line for people. */
        public String sentence() {
            return receivers.isEmpty()
                    ? "of all receivers: " + words(missing, duplicated, reordered)
                    : receivers.stream()
                            .map(each -> each.name() + " " + words(each.missing(), each.duplicated(), each.reordered()))
                            .collect(Collectors.joining("; "));
        }

        private static String words(long missing, long duplicated, long reordered) {
            return Format.count(missing) + " missing, " + Format.count(duplicated) + " twice, "
                    + Format.count(reordered) + " out of order";
        }

        /** The events that one subscriber misses, got twice, and got out of order. */
        public record Receiver(String name, long missing, long duplicated, long reordered) {
            public Receiver {
                name = Absent.orEmpty(name);
            }
        }
    }

    public RunDocument {
        messages = messages == null ? Messages.NONE : messages;
        stalls = Absent.orNone(stalls);
    }

    /** Returns the stalls, the longest first. */
    public List<Stall> longestStalls() {
        return longest(stalls);
    }

    /** Returns the service's longest stall, or else the longest of anyone's. */
    public Optional<Stall> mainStall() {
        return mainOf(stalls);
    }

    /** Returns of some stalls of a run the one that {@link #mainStall} would return. */
    public static Optional<Stall> mainOf(List<Stall> stalls) {
        List<Stall> longest = longest(stalls);
        return longest.stream().filter(Stall::isOfService).findFirst().or(() -> longest.stream()
                .findFirst());
    }

    private static List<Stall> longest(List<Stall> stalls) {
        return stalls.stream()
                .sorted(Comparator.comparingLong(Stall::durationNs).reversed())
                .toList();
    }
}
