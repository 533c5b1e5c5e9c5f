package org.naklab.lab.process;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.binding.YieldMeasurement;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.books.BookView;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.Interruption;
import org.naklab.lab.core.timeline.ThreadEvent;
import org.naklab.lab.core.timeline.ThreadStall;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/**
 * A line that a child process reports. The name of the type is the line's {@code event}; the components are its other keys.
 * {@link Deaf}, {@link Mute} and {@link Garbled} never stand on a line: the lab makes them when the pipe to a child breaks.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
    @JsonSubTypes.Type(ProcessEvent.Ready.class),
    @JsonSubTypes.Type(ProcessEvent.Image.class),
    @JsonSubTypes.Type(ProcessEvent.Settled.class),
    @JsonSubTypes.Type(ProcessEvent.Progress.class),
    @JsonSubTypes.Type(ProcessEvent.Complete.class),
    @JsonSubTypes.Type(ProcessEvent.Done.class),
    @JsonSubTypes.Type(ProcessEvent.Closed.class),
    @JsonSubTypes.Type(ProcessEvent.Failed.class),
    @JsonSubTypes.Type(ProcessEvent.RateLimitHit.class),
    @JsonSubTypes.Type(ProcessEvent.WakeFailed.class),
    @JsonSubTypes.Type(ProcessEvent.SendersWoken.class),
    @JsonSubTypes.Type(ProcessEvent.Yielded.class),
    @JsonSubTypes.Type(ProcessEvent.Stalled.class),
    @JsonSubTypes.Type(ProcessEvent.SymbolBound.class),
    @JsonSubTypes.Type(ProcessEvent.DerivedFilesLost.class),
    @JsonSubTypes.Type(ProcessEvent.MemoryNarrowed.class),
    @JsonSubTypes.Type(ProcessEvent.MemoryAccounted.class),
    @JsonSubTypes.Type(ProcessEvent.ResourcesUsed.class),
    @JsonSubTypes.Type(ProcessEvent.Sent.class),
    @JsonSubTypes.Type(ProcessEvent.Report.class),
    @JsonSubTypes.Type(ProcessEvent.Bound.class),
    @JsonSubTypes.Type(ProcessEvent.FaultAnswered.class),
    @JsonSubTypes.Type(ProcessEvent.BooksSeen.class)
})
public sealed interface ProcessEvent {
    /** Returns when it happened, by the child's {@link System#nanoTime()}: one clock for all processes of a Linux machine. */
    long atNs();

    /** Returns the word that stands for events of that type, for a message. */
    static String wordOf(Class<? extends ProcessEvent> type) {
        return Objects.requireNonNull(type.getAnnotation(JsonTypeName.class)).value();
    }

    /** Reads a line; what is no event is {@link Garbled}. */
    static ProcessEvent parse(String line) {
        try {
            @Nullable ProcessEvent event = Json.fromLine(line, ProcessEvent.class);
            return event == null ? Garbled.now(line) : event;
        } catch (UncheckedIOException e) {
            return Garbled.now(line);
        }
    }

    /** An event that carries the figures of whoever reports it. */
    sealed interface WithFigures extends ProcessEvent {
        /** Returns the figures by their names. */
        Map<String, JsonNode> figures();

        /** Reads the figures as the record that they were written from. */
        default <T> T as(Class<T> type) {
            ObjectNode tree = Json.object();
            tree.setAll(figures());
            return Json.value(tree, type);
        }

        private static Map<String, JsonNode> of(Object figures) {
            Map<String, JsonNode> named = new LinkedHashMap<>();
            Json.tree(figures, ObjectNode.class)
                    .properties()
                    .forEach(each -> named.put(each.getKey(), each.getValue()));
            return named;
        }
    }

    /** An event that belongs on the run's timeline, with all that it carries. */
    sealed interface OnTimeline extends ProcessEvent {
        /** Returns the event of the timeline. */
        TimelineEvent of(String process);
    }

    /**
     * The process is up.
     *
     * @param preTouched what the remedy pre-touch achieved, if it was asked for
     * @param grantedReceiveBufferBytes SO_RCVBUF of the feed's socket; of a receiver only
     * @param served where clients connect; of a process that serves some
     */
    @JsonTypeName("ready")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Ready(
            long atNs,
            @Nullable PreTouched preTouched,
            @Nullable Integer grantedReceiveBufferBytes,
            @Nullable ServedAt served)
            implements ProcessEvent {
        /** Creates one of a process that has nothing to add. */
        public static Ready now() {
            return new Ready(System.nanoTime(), null, null, null);
        }
    }

    /**
     * The result of the remedies pre-touch and locked-pages.
     *
     * @param thread that did it
     * @param durationMs how long its yield took; 0 if it did not yield
     */
    record PreTouched(String thread, long lockedBytes, long touchedBytes, double durationMs) {}

    /**
     * The faults of the process have obeyed a command.
     *
     * @param request the number of the command
     * @param answer one line of JSON
     */
    @JsonTypeName("fault-answer")
    record FaultAnswered(long atNs, long request, String answer) implements ProcessEvent {
        /** Creates one of this moment. */
        public static FaultAnswered now(long request, String answer) {
            return new FaultAnswered(System.nanoTime(), request, answer);
        }
    }

    /** The books of customers, or the latest snapshots of the service, at a moment; not kept. */
    @JsonTypeName("books")
    record BooksSeen(long atNs, List<BookView> books) implements ProcessEvent {
        public BooksSeen {
            books = List.copyOf(books);
        }
    }

    /** A subscriber has seen the exchange's stream. */
    @JsonTypeName("image")
    record Image(long atNs) implements ProcessEvent {
        /** Creates one of this moment. */
        public static Image now() {
            return new Image(System.nanoTime());
        }
    }

    /** The garbage of the start-up is collected; traffic may flow. */
    @JsonTypeName("settled")
    record Settled(long atNs) implements ProcessEvent {
        /** Creates one of this moment. */
        public static Settled now() {
            return new Settled(System.nanoTime());
        }
    }

    /** The process's figures as of now. */
    @JsonTypeName("progress")
    record Progress(long atNs, @JsonAnyGetter @JsonAnySetter Map<String, JsonNode> figures) implements WithFigures {
        /** Creates one of this moment. */
        public static Progress of(Object report) {
            return new Progress(System.nanoTime(), WithFigures.of(report));
        }
    }

    /** A subscriber has everything up to the trailer. */
    @JsonTypeName("complete")
    record Complete(long atNs) implements ProcessEvent {
        /** Creates one of this moment. */
        public static Complete now() {
            return new Complete(System.nanoTime());
        }
    }

    /** The exchange's trailer is out. */
    @JsonTypeName("done")
    record Done(long atNs) implements ProcessEvent {
        /** Creates one of this moment. */
        public static Done now() {
            return new Done(System.nanoTime());
        }
    }

    /** The process has closed in order; its last figures. */
    @JsonTypeName("closed")
    record Closed(long atNs, @JsonAnyGetter @JsonAnySetter Map<String, JsonNode> figures) implements WithFigures {
        /** Creates one of this moment. */
        public static Closed of(Object report) {
            return new Closed(System.nanoTime(), WithFigures.of(report));
        }
    }

    /**
     * The process cannot go on.
     *
     * @param message one line that says why
     */
    @JsonTypeName("error")
    record Failed(long atNs, String message) implements ProcessEvent {
        /** Creates one of this moment. */
        public static Failed of(Throwable failure) {
            return new Failed(System.nanoTime(), String.valueOf(failure.getMessage()));
        }
    }

    /**
     * The rate limiter refused or queued a datagram.
     *
     * @param thread of the context
     */
    @JsonTypeName("RATE_LIMIT_HIT")
    record RateLimitHit(long atNs, String thread) implements OnTimeline {
        @Override
        public TimelineEvent of(String process) {
            return new ThreadEvent.RateLimitHit(atNs, process, thread);
        }
    }

    /**
     * The limiter found its lock held; of a row of such attempts the first.
     *
     * @param thread of the context
     */
    @JsonTypeName("WAKE_FAILED")
    record WakeFailed(long atNs, String thread) implements OnTimeline {
        @Override
        public TimelineEvent of(String process) {
            return new ThreadEvent.WakeFailed(atNs, process, thread);
        }
    }

    /**
     * The limiter woke the senders that it had refused.
     *
     * @param thread of the context
     * @param blockedSends sends that it had refused since it woke senders before
     */
    @JsonTypeName("SENDERS_WOKEN")
    record SendersWoken(long atNs, String thread, long blockedSends) implements OnTimeline {
        @Override
        public TimelineEvent of(String process) {
            return new ThreadEvent.SendersWoken(atNs, process, thread, blockedSends);
        }
    }

    /**
     * A yield of the context thread returned.
     *
     * @param atNs when it began
     * @param thread of the context
     */
    @JsonTypeName("YIELDED")
    record Yielded(long atNs, String thread, @JsonUnwrapped Interruption interruption) implements OnTimeline {
        @Override
        public TimelineEvent of(String process) {
            return new ThreadStall(
                    atNs, TimelineEventType.YIELDED, process, thread, interruption, ThreadStall.Sight.NONE);
        }
    }

    /**
     * A duty cycle of the context thread took too long.
     *
     * @param atNs when it began
     * @param thread of the context
     */
    @JsonTypeName("STALL")
    record Stalled(long atNs, String thread, @JsonUnwrapped Interruption interruption) implements OnTimeline {
        @Override
        public TimelineEvent of(String process) {
            return new ThreadStall(
                    atNs, TimelineEventType.STALL, process, thread, interruption, ThreadStall.Sight.NONE);
        }
    }

    /**
     * The dynamic linker bound a symbol.
     *
     * @param atNs when it began
     * @param thread the kernel's name of it
     * @param majorFaults page faults within it that had to wait for the disk; {@code null}: nobody counted them
     * @param delayed whether the audit library held it up
     */
    @JsonTypeName("SYMBOL_BOUND")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record SymbolBound(
            long atNs,
            String thread,
            int threadId,
            String symbol,
            double durationMs,
            @Nullable Long majorFaults,
            boolean delayed)
            implements OnTimeline {
        @Override
        public TimelineEvent of(String process) {
            return new ThreadEvent.SymbolBound(
                    atNs,
                    process,
                    thread,
                    symbol,
                    threadId,
                    new ThreadEvent.SymbolBound.LookUp(durationMs, majorFaults, delayed));
        }
    }

    /**
     * The derived files of the service have ended before the feed; receipt and journal go on.
     *
     * @param eventsDerived that they have
     * @param reason in one line
     */
    @JsonTypeName("DERIVED_FILES_LOST")
    record DerivedFilesLost(long atNs, long eventsDerived, String reason) implements OnTimeline {
        @Override
        public TimelineEvent of(String process) {
            return new HostEvent.DerivedFilesLost(atNs, process, eventsDerived, reason);
        }
    }

    /**
     * The room that the process's container or control group has for the page cache has been narrowed.
     *
     * @param roomBytes what is left
     * @param ballastBytes what fills the rest
     * @param evicted whether the symbol tables have gone
     * @param filledAtNs when all memory was first in use, so that the kernel has evicted pages since then, ns; 0: unknown, as in records of earlier versions
     */
    @JsonTypeName("MEMORY_NARROWED")
    record MemoryNarrowed(long atNs, long roomBytes, long ballastBytes, boolean evicted, long filledAtNs)
            implements OnTimeline {
        /** Returns when the kernel began to evict pages, or else when the squeeze was over, ns. */
        public long evictionBeganNs() {
            return filledAtNs == 0 ? atNs : filledAtNs;
        }

        @Override
        public TimelineEvent of(String process) {
            return new HostEvent.MemoryNarrowed(atNs, process, roomBytes, ballastBytes, evicted, filledAtNs);
        }
    }

    /**
     * Tells what a shortage of memory cost a process until the end of the flow.
     *
     * @param limitBytes of its control group
     * @param lowestFreeBytes the least that was free of the limit whenever the process looked
     * @param limitHits times that the group was at its limit, so that whoever wanted memory had to reclaim some; 1 if the kernel
     *     does not count them and it was
     * @param refaultedPages pages that were read again soon after they had been reclaimed
     * @param majorFaults page faults that had to wait for the disk
     * @param journalBytes length of the journal
     * @param journalCachedBytes what of it is in the page cache
     * @param pressureMs for how long at least one thread of the group, or of the machine if the kernel tells no more, waited for memory;
     *     -1 if unknown
     */
    @JsonTypeName("MEMORY_ACCOUNTED")
    record MemoryAccounted(
            long atNs,
            long limitBytes,
            long lowestFreeBytes,
            long limitHits,
            long refaultedPages,
            long majorFaults,
            long journalBytes,
            long journalCachedBytes,
            double pressureMs)
            implements OnTimeline {
        @Override
        public TimelineEvent of(String process) {
            return new HostEvent.MemoryAccounted(
                    atNs,
                    process,
                    new HostEvent.MemoryAccounted.Limit(
                            limitBytes, lowestFreeBytes, limitHits, refaultedPages, majorFaults),
                    new HostEvent.MemoryAccounted.Journal(journalBytes, journalCachedBytes),
                    pressureMs);
        }
    }

    /**
     * Tells what a process needed until the end of the flow.
     *
     * @param startMs from its start until it was ready, in ms
     * @param cpuMs processor time of all its threads since it was ready, in ms
     * @param memoryBytes resident memory without pages of files on a disk: heap, native memory, stacks, and files in memory such as those of the media driver
     * @param lockedBytes memory that cannot be reclaimed because it is locked
     */
    @JsonTypeName("RESOURCES_USED")
    record ResourcesUsed(long atNs, long startMs, long cpuMs, long memoryBytes, long lockedBytes)
            implements OnTimeline {
        @Override
        public TimelineEvent of(String process) {
            return new HostEvent.ResourcesUsed(atNs, process, startMs, cpuMs, memoryBytes, lockedBytes);
        }
    }

    /** A tool has sent what it was told to send. */
    @JsonTypeName("sent")
    record Sent(long atNs) implements ProcessEvent {
        /** Creates one of this moment. */
        public static Sent now() {
            return new Sent(System.nanoTime());
        }
    }

    /** A tool's figures, which it was asked for. */
    @JsonTypeName("report")
    record Report(long atNs, @JsonAnyGetter @JsonAnySetter Map<String, JsonNode> figures) implements WithFigures {
        /** Creates one of this moment. */
        public static Report of(Object report) {
            return new Report(System.nanoTime(), WithFigures.of(report));
        }
    }

    /** A tool has bound a symbol by a yield, as it was told to. */
    @JsonTypeName("bound")
    record Bound(long atNs, @JsonUnwrapped YieldMeasurement measurement) implements ProcessEvent {
        /** Creates one of this moment. */
        public static Bound of(YieldMeasurement measurement) {
            return new Bound(System.nanoTime(), measurement);
        }
    }

    /** The process takes no command any more. */
    @JsonTypeName("deaf")
    record Deaf(long atNs) implements ProcessEvent {}

    /** The output of the process cannot be read any more. */
    @JsonTypeName("mute")
    record Mute(long atNs) implements ProcessEvent {}

    /**
     * A line that is not an event.
     *
     * @param line as it came
     */
    @JsonTypeName("garbled")
    record Garbled(long atNs, String line) implements ProcessEvent {
        private static Garbled now(String line) {
            return new Garbled(System.nanoTime(), line);
        }
    }
}
