package org.naklab.lab.cli.watch.live;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.cli.terminal.EventFormatter;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Printable;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.runs.record.Stall;

/**
 * Says an event as a sentence. A sentence consists of clauses, and a clause is left out if the event does not have what it names:
 *
 * <pre>
 *   {depthBytes}        a detail, with its unit
 *   {datagrams#drop}    a number with what it counts: 1 drop, 20 drops
 *   {share%}            a share as a percentage
 *   {who} {process}     the process and its thread; the process alone
 *   {length}            how long the event lasted
 *   {?before} {!before} nothing, but the clause is left out if the detail is not true, or not false
 * </pre>
 */
final class EventSentences {
    private static final Pattern FIELD = Pattern.compile("\\{([?!]?)(\\w+)(?:#([^}]+)|(%))?\\}");

    private static final double NS_PER_MS = 1e6;

    private static final String SOCKET = "{local}| (group {groups})|";
    private static final String STREAM = "| on stream {streamId}|";

    private static final Map<TimelineEventType, String> SENTENCES = new EnumMap<>(Map.ofEntries(
            Map.entry(TimelineEventType.SOCKET_OPENED, SOCKET + "{?before} is open|{!before} was opened"),
            Map.entry(TimelineEventType.SOCKET_CLOSED, SOCKET + " was closed"),
            Map.entry(
                    TimelineEventType.SOCKET_DEPTH_RISE,
                    SOCKET + " fills: {depthBytes}| of {limitBytes}| wait to be read"),
            Map.entry(TimelineEventType.DATAGRAMS_DROPPED, SOCKET + " dropped {datagrams#datagram}|, {total} in all"),
            Map.entry(
                    TimelineEventType.SOCKET_DRAINED,
                    SOCKET
                            + "{?drained} is empty again after {durationNs}|{!drained} is not empty yet after {durationNs}"
                            + "|; it held up to {peakBytes}| of {limitBytes}"),
            Map.entry(
                    TimelineEventType.STALL,
                    "{who} stood still for {length}|, with {unreadBytes} unread|{?overflow}, as it was slower than the datagrams"
                            + "|{?lasting}, and still does"),
            Map.entry(TimelineEventType.STALL_BEGAN, "{who} stands still"),
            Map.entry(TimelineEventType.YIELDED, "{who} came back from a yield after {length}"),
            Map.entry(TimelineEventType.THREAD_STOPPED, "{who} was stopped by a signal or a debugger"),
            Map.entry(TimelineEventType.THREAD_CONTINUED, "{who} goes on| after {durationNs}"),
            Map.entry(TimelineEventType.RUN_QUEUE_DELAY, "{who} waited {delayNs} for a CPU"),
            Map.entry(TimelineEventType.MAJOR_FAULT, "{who} had {faults#major page fault}"),
            Map.entry(TimelineEventType.PAGE_FAULT, "{who} waited {durationNs} for a page| of {place}"),
            Map.entry(TimelineEventType.SYMBOL_BOUND, "{who} bound {symbol} in {length}"),
            Map.entry(TimelineEventType.SLOW_CALLBACK, "{who} spent {length} in one callback"),
            Map.entry(TimelineEventType.JAVA_WAIT, "{who} {what}| at {where}|, for {durationNs}"),
            Map.entry(TimelineEventType.JAVA_STACK, "{who} spent {durationNs}| in {where}"),
            Map.entry(TimelineEventType.SAFEPOINT, "{process} was at a safepoint for {durationNs}| ({operation})"),
            Map.entry(
                    TimelineEventType.GC_PAUSE,
                    "{process} paused for {durationNs}| for a collection by {collector}| ({cause})"),
            Map.entry(TimelineEventType.GC_CPU_TIME, "the collection took {cpuNs} of CPU time"),
            Map.entry(TimelineEventType.CPU_THROTTLED, "{process} had used up its CPU quota for {throttledNs}"),
            Map.entry(TimelineEventType.TIMER_LATE, "the whole machine stood still: a timer was {latenessNs} late"),
            Map.entry(TimelineEventType.MEMORY_PRESSURE, "tasks of the {of} waited for memory {share%} of the time"),
            Map.entry(TimelineEventType.MEMORY_LIMIT_HIT, "{process} hit its memory limit {hits#time}"),
            Map.entry(
                    TimelineEventType.NAK_SENT,
                    "{process} sent {naks#NAK}" + STREAM + ", for {gapBytes}|; {total} in all"),
            Map.entry(TimelineEventType.NAK_RECEIVED, "{process} received {naks#NAK}" + STREAM + "; {total} in all"),
            Map.entry(TimelineEventType.RETRANSMIT_SENT, "{process} sent {retransmits#retransmission}"),
            Map.entry(TimelineEventType.RETRANSMIT_RECEIVED, "{process} received a retransmission" + STREAM),
            Map.entry(TimelineEventType.REPAIRED, "{process} has repaired the gap" + STREAM + " after {durationNs}"),
            Map.entry(TimelineEventType.GAP_UNREPAIRED, "{process} has not repaired the gap" + STREAM + ": {reason}"),
            Map.entry(
                    TimelineEventType.LOSS_REPORTED,
                    "Aeron's loss report of {process} has {totalBytes}" + STREAM + " from {source}"),
            Map.entry(
                    TimelineEventType.DATAGRAMS_OVERTAKEN,
                    "{process} received {datagrams#datagram} behind later ones" + STREAM
                            + ", up to {longestDelayNs} late"),
            Map.entry(TimelineEventType.DATAGRAMS_REPEATED, "{process} received {datagrams#datagram} twice" + STREAM),
            Map.entry(
                    TimelineEventType.DATAGRAMS_DISCARDED,
                    "the kernel discarded {count#datagram}| for {destination}| from {source}|: {reason}"),
            Map.entry(TimelineEventType.UDP_ERRORS, "the counter {counter} of {process} grew by {growth}"),
            Map.entry(
                    TimelineEventType.FEED_SILENT,
                    "no datagram of {group} came in for {durationNs}|, {usualGapNs} is usual|; {senderThread} of the sender was {senderState}"),
            Map.entry(
                    TimelineEventType.FOREIGN_DATAGRAMS,
                    "{source} sent {count#datagram} to {destination}, and is not the feed"),
            Map.entry(TimelineEventType.MEMBERSHIP_LOST, "no socket was a member of {group}| for {durationNs}"),
            Map.entry(TimelineEventType.PORT_SHARED, "{owner} has a socket at port {port} too"),
            Map.entry(TimelineEventType.DATAGRAMS_TAKEN, "{owner} took {count#datagram} of port {port}"),
            Map.entry(TimelineEventType.TRAFFIC_BURST, "datagrams came in a burst| of {durationNs}"),
            Map.entry(TimelineEventType.PROCESS_ENDED, "{process} has ended|: {how}")));

    private final EventFormatter formatter;

    EventSentences(EventFormatter formatter) {
        this.formatter = formatter;
    }

    /** Returns whether events of a type have a sentence. */
    static boolean hasSentence(TimelineEventType type) {
        return SENTENCES.containsKey(type);
    }

    /** Returns the sentence of an event, without its time; of an event that has no sentence, its name and its figures. */
    String of(TimelineEvent event) {
        String[] clauses = SENTENCES.getOrDefault(event.type(), "").split("\\|", -1);
        String subject = clause(clauses[0], event);
        if (subject == null || subject.isEmpty()) {
            return event.type().name().toLowerCase(Locale.ROOT).replace('_', ' ') + ": " + formatter.figures(event);
        }
        StringBuilder sentence = new StringBuilder(subject);
        for (int i = 1; i < clauses.length; i++) {
            String clause = clause(clauses[i], event);
            sentence.append(clause == null ? "" : clause);
        }
        return Printable.of(sentence.toString());
    }

    /** Returns the cause of a stall, with what it consisted of. */
    String of(Stall stall) {
        return Printable.of("cause of the stall of " + where(stall.process(), stall.thread()) + ": " + stall.cause()
                + ", " + String.join(" ", stall.account().terms()));
    }

    private @Nullable String clause(String clause, TimelineEvent event) {
        StringBuilder said = new StringBuilder();
        Matcher field = FIELD.matcher(clause);
        while (field.find()) {
            String value = value(field, event);
            if (value == null) {
                return null;
            }
            field.appendReplacement(said, Matcher.quoteReplacement(value));
        }
        return field.appendTail(said).toString();
    }

    private @Nullable String value(Matcher field, TimelineEvent event) {
        String key = field.group(2);
        if (!field.group(1).isEmpty()) {
            boolean wanted = field.group(1).equals("?");
            return Objects.equals(event.details().get(key), wanted) ? "" : null;
        }
        return switch (key) {
            case "who" -> where(event.process(), event.thread());
            case "process" -> where(event.process(), "");
            case "length" -> event.durationNs() > 0 ? Format.milliseconds(event.durationNs() / NS_PER_MS) : null;
            default -> detail(field, event);
        };
    }

    private @Nullable String detail(Matcher field, TimelineEvent event) {
        Object detail = event.details().get(field.group(2));
        boolean isUnknown = detail == null
                || detail.toString().isEmpty()
                || (detail instanceof Number number && number.doubleValue() < 0);
        if (isUnknown) {
            return null;
        }
        if (detail instanceof Number number) {
            if (field.group(3) != null) {
                return Format.counted(number.longValue(), field.group(3));
            }
            if (field.group(4) != null) {
                return String.format(Locale.ROOT, "%.0f %%", 100 * number.doubleValue());
            }
        }
        return formatter.value(field.group(2), Objects.requireNonNull(detail));
    }

    private static String where(String process, String thread) {
        if (!thread.isEmpty()) {
            return process + "/" + thread;
        }
        return process.chars().allMatch(Character::isDigit) ? "process " + process : process;
    }
}
