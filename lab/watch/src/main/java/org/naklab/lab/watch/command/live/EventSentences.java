package org.naklab.lab.watch.command.live;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Printable;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.CoreShared;
import org.naklab.lab.core.timeline.DatagramEvent;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.JvmEvent;
import org.naklab.lab.core.timeline.PageFault;
import org.naklab.lab.core.timeline.ShortWaits;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.StreamEvent;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.ThreadBusy;
import org.naklab.lab.core.timeline.ThreadEvent;
import org.naklab.lab.core.timeline.ThreadStall;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.records.Stall;

/** Says an event as a sentence. A clause whose figure is unknown is left out. */
final class EventSentences {
    private static final Map<Class<?>, Function<TimelineEvent, String>> SENTENCES = new HashMap<>();

    static {
        sayParts();
        saySockets();
        sayStreams();
        sayDatagrams();
        sayThreads();
        sayJvmAndHost();
    }

    private EventSentences() {}

    /** Returns the sentence of an event, without its time; of an event that has no sentence, or lacks a figure, its name and where it was. */
    static String of(TimelineEvent event) {
        Class<? extends TimelineEvent> kind =
                Objects.requireNonNullElse(event.type().form(), event.getClass());
        String said = Optional.ofNullable(SENTENCES.get(kind))
                .flatMap(sentence -> event.as(kind).map(sentence))
                .orElseGet(() -> EventFormatter.name(event.type()) + ": " + where(event));
        return Printable.of(said);
    }

    /** Returns the cause of a stall, with what it consisted of. */
    static String of(Stall stall) {
        return Printable.of("cause of the stall of " + where(stall.process(), stall.thread()) + ": " + stall.cause()
                + ", " + String.join(" ", stall.account().terms()));
    }

    /** Adds the sentences of the parts of a stall's account, which are shown with {@code --verbose} only. */
    private static void sayParts() {
        say(
                SocketEvent.Unread.class,
                event -> socket(event) + " was not read" + lasting(" for ", event)
                        + bytes("; it held up to ", event.peakBytes(), "") + still(event.isLasting()));
        say(
                StreamEvent.Unpolled.class,
                event -> where(event) + " did not poll" + stream(event.stream()) + lasting(" for ", event)
                        + bytes("; up to ", event.peakBytes(), " waited") + still(event.isLasting()));
        say(
                ThreadAbsence.class,
                event -> where(event) + " was off the CPU" + lasting(" for ", event) + " ("
                        + event.state().label() + ")" + text(", woken by ", event.waker(), ""));
        say(
                ShortWaits.class,
                event -> where(event) + " waited " + length(event.blockedNs()) + " in short waits"
                        + lasting(" within ", event) + text(", woken by ", event.waker(), ""));
        say(
                ThreadBusy.class,
                event -> where(event) + " did not sleep" + lasting(" for ", event) + ": " + length(event.cpuNs())
                        + " on CPU, " + length(event.runnableNs()) + " without a CPU, " + length(event.faultNs())
                        + " in page faults");
        say(ThreadEvent.Slept.class, event -> where(event) + " slept" + lasting(" for ", event));
        say(ThreadEvent.ThreadSample.class, event -> where(event) + " ran" + text(" in ", innermost(event), ""));
        say(
                ThreadEvent.Interrupted.class,
                event -> where(event) + " was interrupted" + lasting(" for ", event) + " by the " + event.kind() + " "
                        + event.name() + " on CPU " + event.cpu());
        say(
                ThreadEvent.MemoryReclaim.class,
                event -> where(event) + " reclaimed memory for " + length(event.reclaimNs()));
        say(
                CoreShared.class,
                event -> event.other() + " ran " + Format.counted(event.share().count(), "time") + " on CPU "
                        + event.cpu() + ", the only one of " + where(event) + ": "
                        + length(event.share().totalNs()) + " in all");
        say(
                DatagramEvent.CountersRead.class,
                event -> "the error counters of " + where(event) + " were read" + lasting(" for ", event));
        say(
                DatagramEvent.PlaceObserved.class,
                event -> "the place \"" + event.place() + "\" of " + where(event) + " was observed"
                        + lasting(" for ", event));
        say(
                DatagramEvent.KernelRecorded.class,
                event -> "the threads of " + where(event) + " were recorded by " + event.source()
                        + lasting(" for ", event));
    }

    private static void saySockets() {
        say(SocketEvent.Opened.class, event -> socket(event) + (event.isBefore() ? " is open" : " was opened"));
        say(SocketEvent.Closed.class, event -> socket(event) + " was closed");
        say(
                SocketEvent.DepthRise.class,
                event -> socket(event) + " fills: " + Format.bytes(event.depthBytes())
                        + bytes(" of ", event.limitBytes(), "") + " wait to be read");
        say(
                SocketEvent.Dropped.class,
                event -> socket(event) + " dropped " + Format.counted(event.datagrams(), "datagram") + ", "
                        + event.total() + " in all");
        say(
                SocketEvent.Drained.class,
                event -> socket(event)
                        + (event.isDrained() ? " is empty again after " : " is not empty yet after ")
                        + length(event.durationNs())
                        + bytes("; it held up to ", event.depth().peakBytes(), "")
                        + bytes(" of ", event.depth().limitBytes(), ""));
    }

    private static void sayStreams() {
        say(
                StreamEvent.NakSent.class,
                event -> where(event.process(), "") + " sent " + Format.counted(event.naks(), "NAK")
                        + stream(event.stream()) + bytes(", for ", event.gapBytes(), "") + "; " + event.total()
                        + " in all");
        say(
                StreamEvent.NakReceived.class,
                event -> where(event.process(), "") + " received " + Format.counted(event.naks(), "NAK")
                        + stream(event.stream()) + "; " + event.total() + " in all");
        say(
                StreamEvent.RetransmitSent.class,
                event -> where(event.process(), "") + " sent " + Format.counted(event.retransmits(), "retransmission"));
        say(
                StreamEvent.RetransmitReceived.class,
                event -> where(event.process(), "") + " received a retransmission" + stream(event.stream()));
        say(
                StreamEvent.Repaired.class,
                event -> where(event.process(), "") + " has repaired the gap" + stream(event.stream())
                        + lasting(" after ", event));
        say(StreamEvent.Polled.class, event -> where(event) + " polls" + stream(event.stream()));
        say(StreamEvent.Unrepaired.class, event -> {
            StreamEvent.Gap gap = event.gap();
            return where(event.process(), "") + " has not repaired the gap"
                    + (gap == null ? "" : " on stream " + gap.streamId()) + ": " + event.reason();
        });
        say(
                StreamEvent.LossReported.class,
                event -> "Aeron's loss report of " + where(event.process(), "") + " has "
                        + Format.bytes(event.totalBytes()) + stream(event.stream()) + " from " + event.source());
        say(
                StreamEvent.Overtaken.class,
                event -> where(event.process(), "") + " received " + Format.counted(event.datagrams(), "datagram")
                        + " behind later ones on stream " + event.streamId() + ", up to "
                        + length(event.longestDelayNs()) + " late");
        say(
                StreamEvent.Repeated.class,
                event -> where(event.process(), "") + " received " + Format.counted(event.datagrams(), "datagram")
                        + " twice on stream " + event.streamId());
    }

    private static void sayDatagrams() {
        say(
                DatagramEvent.Discarded.class,
                event -> "the kernel discarded " + Format.counted(event.count(), "datagram")
                        + text(" for ", event.flow().destination(), "")
                        + text(" from ", event.flow().source(), "") + ": "
                        + event.place().reason() + event.side());
        say(
                DatagramEvent.ErrorsCounted.class,
                event -> "the counter " + event.counter() + " of " + where(event.process(), "") + " grew by "
                        + event.growth());
        say(DatagramEvent.Silence.class, event -> {
            DatagramEvent.SenderAbsence sender = event.sender();
            return "no datagram of " + event.from().group() + " came in" + lasting(" for ", event)
                    + (event.pace().usualGapNs() < 0
                            ? ""
                            : ", " + length(event.pace().usualGapNs()) + " is usual")
                    + (sender == null
                            ? ""
                            : "; " + sender.senderThread() + " of the sender was " + sender.senderState());
        });
        say(
                DatagramEvent.Foreign.class,
                event -> event.flow().source() + " sent " + Format.counted(event.count(), "datagram") + " to "
                        + event.flow().destination() + ", and is not the feed");
        say(
                DatagramEvent.MembershipLost.class,
                event -> "no socket was a member of " + event.group() + lasting(" for ", event));
        say(
                DatagramEvent.PortShared.class,
                event -> owner(event.owner()) + " has a socket at port " + event.port() + " too");
        say(
                DatagramEvent.Taken.class,
                event -> event.taker() + " took " + Format.counted(event.count(), "datagram") + " of port "
                        + event.port());
        say(DatagramEvent.Burst.class, event -> "datagrams came in a burst" + lasting(" of ", event));
    }

    private static void sayThreads() {
        say(ThreadStall.class, EventSentences::stall);
        say(ThreadEvent.StallBegan.class, event -> where(event) + " stands still");
        say(ThreadEvent.Stopped.class, event -> where(event) + " was stopped by a signal or a debugger");
        say(ThreadEvent.Continued.class, event -> where(event) + " goes on" + lasting(" after ", event));
        say(
                ThreadEvent.SendersWoken.class,
                event -> where(event) + " woke the senders; the rate limit had refused "
                        + Format.counted(event.blockedSends(), "send"));
        say(
                ThreadEvent.RunQueueDelay.class,
                event -> where(event) + " waited " + length(event.delayNs()) + " for a CPU");
        say(
                ThreadEvent.MajorFaults.class,
                event -> where(event) + " had " + Format.counted(event.faults(), "major page fault"));
        say(
                PageFault.class,
                event -> where(event) + " waited" + lasting(" ", event) + " for a page"
                        + text(" of ", event.place(), ""));
        say(ThreadEvent.SymbolBound.class, event -> where(event) + " bound " + event.symbol() + lasting(" in ", event));
        say(ThreadEvent.SlowCallback.class, event -> where(event) + " was in one callback" + lasting(" for ", event));
        say(
                ThreadEvent.JavaWait.class,
                event -> where(event) + " " + event.call().what()
                        + text(" at ", event.call().where(), "") + lasting(", for ", event));
        say(
                ThreadEvent.JavaStack.class,
                event -> where(event) + " was" + text(" in ", event.code().where(), "") + lasting(" for ", event));
    }

    private static void sayJvmAndHost() {
        say(
                JvmEvent.Safepoint.class,
                event -> where(event.process(), "") + " was at a safepoint" + lasting(" for ", event)
                        + text(" (", event.operation(), ")"));
        say(
                JvmEvent.GcPause.class,
                event -> where(event.process(), "") + " paused" + lasting(" for ", event)
                        + text(" for a collection by ", event.collector(), "") + text(" (", event.cause(), ")"));
        say(JvmEvent.GcPause.CpuTime.class, event -> "the collection took " + length(event.cpuNs()) + " of CPU time");
        say(
                HostEvent.Throttled.class,
                event -> where(event) + " had used up its CPU quota for " + length(event.throttledNs()));
        say(
                HostEvent.TimerLate.class,
                event -> "the whole machine stood still: a timer was " + length(event.latenessNs()) + " late");
        say(
                HostEvent.MemoryPressure.class,
                event -> "tasks of the " + event.of() + " waited for memory "
                        + String.format(Locale.ROOT, "%.0f %%", 100 * event.share()) + " of the time");
        say(
                HostEvent.LimitHit.class,
                event -> where(event) + " hit its memory limit " + Format.counted(event.hits(), "time"));
        say(
                HostEvent.Acted.class,
                event -> "the lab's own act at " + where(event) + ": " + event.act() + lasting(", ", event));
        say(
                HostEvent.GaugeRise.class,
                event -> event.gauge() + " of " + where(event) + " rose to " + Format.count(event.value()));
        say(
                HostEvent.Blind.class,
                event -> "the instrument " + event.instrument() + " of " + where(event) + " cannot see: "
                        + event.reason());
        say(HostEvent.Ended.class, event -> where(event) + " has ended" + text(": ", event.how(), ""));
    }

    private static String stall(ThreadStall event) {
        if (event.type() == TimelineEventType.YIELDED) {
            return where(event) + " came back from a yield" + lasting(" after ", event);
        }
        Long unread = event.seen().unreadBytes();
        return where(event) + " stood still" + lasting(" for ", event)
                + (unread == null ? "" : bytes(", with ", unread, " unread"))
                + (Boolean.TRUE.equals(event.seen().overflow()) ? ", as it was slower than the datagrams" : "")
                + still(Boolean.TRUE.equals(event.seen().lasting()));
    }

    private static String still(boolean isLasting) {
        return isLasting ? ", and still does" : "";
    }

    private static String innermost(ThreadEvent.ThreadSample sample) {
        return Stream.concat(sample.kernelStack().stream(), sample.userStack().stream())
                .findFirst()
                .orElse("");
    }

    private static <E extends TimelineEvent> void say(Class<E> kind, Function<E, String> sentence) {
        SENTENCES.put(kind, event -> sentence.apply(kind.cast(event)));
    }

    private static String socket(SocketEvent event) {
        return event.socket().local() + text(" (group ", event.socket().groups(), ")");
    }

    private static String stream(StreamEvent.Stream stream) {
        return " on stream " + stream.streamId();
    }

    private static String owner(String owner) {
        return owner.isEmpty() ? "another process" : owner;
    }

    private static String lasting(String before, TimelineEvent event) {
        return event.durationNs() > 0 ? before + length(event.durationNs()) : "";
    }

    private static String length(long ns) {
        return Format.milliseconds(ns / Units.NS_PER_MS);
    }

    private static String bytes(String before, long bytes, String after) {
        return bytes < 0 ? "" : before + Format.bytes(bytes) + after;
    }

    private static String text(String before, @Nullable String text, String after) {
        return text == null || text.isEmpty() ? "" : before + text + after;
    }

    private static String where(TimelineEvent event) {
        return where(event.process(), event.thread());
    }

    private static String where(String process, String thread) {
        if (!thread.isEmpty()) {
            return process + "/" + thread;
        }
        return process.chars().allMatch(Character::isDigit) ? "process " + process : process;
    }
}
