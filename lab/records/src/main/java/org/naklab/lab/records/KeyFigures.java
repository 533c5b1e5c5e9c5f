package org.naklab.lab.records;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.core.timeline.SocketDrops;
import org.naklab.lab.core.timeline.TimelineEvent;

/**
 * The figures of a run that people are told first: how long the service stalled, what it lost, and what happened to the control group. Report and
 * command line print these sentences, so that they cannot differ; each figure says whose it is.
 *
 * @param stall the stall that matters, see {@link DiagnosedStalls#main(RunDocument)}
 * @param service whose figures they are: the service, or the process of a watch; {@code null}: the service ended without a final report
 * @param controls the other receivers of the same feed
 * @param unseen processes whose sockets no instrument observed: none of their figures is known to be nothing
 */
public record KeyFigures(
        Optional<Stall> stall, @Nullable Receiver service, List<Receiver> controls, Set<String> unseen) {
    private static final int SHOWN_CONTROLS = 3;
    private static final String NOT_SEEN = "the run ended before the service had reported what it received";

    /**
     * Tells what one receiver of the feed lost.
     *
     * @param drops of its sockets, by reason
     * @param naks that it sent
     * @param missing events that never came
     * @param complete the end of the feed was seen, and everything before it
     * @param journaled events; -1: it keeps no journal
     */
    public record Receiver(String name, SocketDrops drops, long naks, long missing, boolean complete, long journaled) {
        private boolean hasLoss() {
            return drops.all() > 0 || naks > 0 || missing > 0;
        }

        private boolean isRepaired() {
            return missing == 0 && complete;
        }

        /** Whether it is the process of a watch, which counts no events. */
        private boolean isWatched() {
            return !isService(this);
        }

        private String who() {
            return isWatched() ? "process " + name : "the service " + name;
        }

        /** Tells how much it lost by what is known: of dropped datagrams, else of NAKs, else of events. */
        private String amount() {
            if (drops.all() > 0) {
                return Format.counted(drops.all(), "datagram");
            }
            return naks > 0 ? Format.counted(naks, "NAK") : Format.counted(missing, "event");
        }

        private String lost() {
            return drops.all() == 0 ? "no datagram" : Format.counted(drops.all(), "datagram");
        }
    }

    /**
     * A figure.
     *
     * @param head the word that it is about
     * @param value the figure itself, a few characters
     * @param text whose it is and what it means
     */
    public record Figure(String head, String value, String text) {
        /** Returns the whole figure in one line, without its head. */
        public String sentence() {
            return value + ": " + text;
        }
    }

    public KeyFigures {
        controls = List.copyOf(controls);
        unseen = Set.copyOf(unseen);
    }

    /**
     * Takes the figures out of the files of a run.
     *
     * @param discarded events of the timeline with the kernel's reasons for discarded datagrams
     */
    public static KeyFigures of(RunRecord run, DiagnosedStalls diagnosed, List<TimelineEvent> discarded) {
        if (run.isOfWatch()) {
            return new KeyFigures(diagnosed.main(run.document()), watched(run, discarded), List.of(), Set.of());
        }
        List<Receiver> receivers = run.reported().subscribers().stream()
                .map(subscriber -> receiver(subscriber, run.reported().sockets(), discarded))
                .toList();
        InstrumentsRecord instruments = run.reported().instruments();
        return of(
                diagnosed.main(run.document()),
                receivers,
                instruments == null ? Set.of() : Set.copyOf(instruments.unseenSockets()));
    }

    /** Makes the figures of a run of its receivers' figures; the service is told from the others by its name. */
    public static KeyFigures of(Optional<Stall> stall, List<Receiver> receivers, Set<String> unseen) {
        return new KeyFigures(
                stall,
                receivers.stream().filter(KeyFigures::isService).findFirst().orElse(null),
                receivers.stream().filter(receiver -> !isService(receiver)).toList(),
                unseen);
    }

    private static boolean isService(Receiver receiver) {
        return receiver.name().equals(ProcessNames.SERVICE);
    }

    private static Receiver receiver(
            SubscriberRecord subscriber, List<RunRecord.Socket> sockets, List<TimelineEvent> discarded) {
        return new Receiver(
                subscriber.name(),
                drops(subscriber.name(), sockets, discarded),
                subscriber.intake().transport().naksSent(),
                subscriber.events().missing(),
                subscriber.end().complete(),
                subscriber.servesData() ? subscriber.events().journaled() : -1);
    }

    private static SocketDrops drops(String process, List<RunRecord.Socket> all, List<TimelineEvent> discarded) {
        List<RunRecord.Socket> sockets =
                all.stream().filter(socket -> socket.process().equals(process)).toList();
        long drops = sockets.stream().mapToLong(RunRecord.Socket::drops).sum();
        return SocketDrops.of(drops, discarded, portsWithDrops(sockets));
    }

    private static List<Integer> portsWithDrops(List<RunRecord.Socket> sockets) {
        return sockets.stream()
                .filter(socket -> socket.drops() > 0)
                .map(RunRecord.Socket::port)
                .toList();
    }

    /** Its sockets may have dropped more after the window. */
    private static Receiver watched(RunRecord run, List<TimelineEvent> discarded) {
        RunDocument document = run.document();
        SocketDrops drops = SocketDrops.of(
                document.counts().datagramsDropped(),
                discarded,
                portsWithDrops(run.reported().sockets()));
        return new Receiver(
                run.subjectProcess(), drops, Math.max(0, document.counts().naks()), 0, false, -1);
    }

    /** Returns the three figures: stalled, lost, control. The last one is absent if the run had no control group. */
    public List<Figure> all() {
        List<Figure> figures = new ArrayList<>(List.of(stalled(), lost()));
        if (!controls.isEmpty()) {
            figures.add(control());
        }
        return figures;
    }

    /** Returns how long the thread that matters stood still. */
    public Figure stalled() {
        return stall.map(each -> new Figure(
                        "stalled",
                        Format.milliseconds(each.durationMs()),
                        each.who() + " of " + whose(each.process()) + " received nothing; cause " + each.cause()))
                .orElse(
                        isUnobserved()
                                ? new Figure("stalled", "unknown", NOT_SEEN)
                                : isBlind()
                                        ? new Figure("stalled", "unknown", "no stall was seen, but " + notObserved())
                                        : new Figure(
                                                "stalled",
                                                "no stall",
                                                "no receipt thread stood still for 20 ms or more"));
    }

    /** Returns whether the service may have lost something that nobody could see. */
    private boolean isBlind() {
        Receiver own = service;
        return own != null && !own.hasLoss() && unseen.contains(own.name());
    }

    private String notObserved() {
        return "no instrument observed the sockets of " + (service == null ? "the service" : service.name());
    }

    /** Returns whether nothing is known of the service: the run was interrupted, or failed, before it gave its report, and no stall of it was seen. */
    public boolean isUnobserved() {
        return service == null && stall.isEmpty();
    }

    private static String whose(String process) {
        return process.equals(ProcessNames.SERVICE) ? "the service" : process;
    }

    /** Returns what the service lost, and what became of it. */
    public Figure lost() {
        Receiver own = service;
        if (own == null) {
            return new Figure(
                    "lost", "unknown", "the service " + ProcessNames.SERVICE + " ended without a final report");
        }
        if (isBlind()) {
            return new Figure("lost", "unknown", own.who() + " sent no NAK, but " + notObserved());
        }
        if (!own.hasLoss()) {
            return new Figure("lost", "nothing", droppedNothing(own));
        }
        return new Figure("lost", own.amount(), own.isWatched() ? lossOf(own) : lossOf(own) + "; " + repaired(own));
    }

    private static String droppedNothing(Receiver own) {
        return own.who() + " dropped no datagram and sent no NAK";
    }

    private static String lossOf(Receiver own) {
        if (own.drops().all() == 0 && own.naks() == 0) {
            return droppedNothing(own);
        }
        if (own.drops().all() == 0) {
            return own.who() + " asked for data that no socket of this host had dropped";
        }
        String dropped = own.who() + ": " + own.drops().why();
        return own.isWatched() && own.naks() == 0
                ? dropped
                : dropped + "; " + Format.counted(own.naks(), "NAK") + " asked for them";
    }

    private static String repaired(Receiver own) {
        if (own.isRepaired()) {
            return "all repaired"
                    + (own.journaled() < 0 ? "" : ", the journal contains " + Format.counted(own.journaled(), "event"));
        }
        return own.missing() > 0
                ? "not all repaired, " + Format.counted(own.missing(), "event") + " missing"
                : "not known to be complete, because the end of the feed did not arrive";
    }

    /** Returns what the other receivers of the same feed lost. */
    public Figure control() {
        long drops = controls.stream().mapToLong(each -> each.drops().all()).sum();
        long naks = controls.stream().mapToLong(Receiver::naks).sum();
        boolean isSeen = controls.stream().noneMatch(each -> unseen.contains(each.name()));
        String nothing = isSeen ? "no loss" : "unknown";
        String value = drops > 0 ? Format.counted(drops, "datagram") : naks > 0 ? Format.counted(naks, "NAK") : nothing;
        return new Figure(
                "control",
                value,
                "the same feed at "
                        + controls.stream()
                                .limit(SHOWN_CONTROLS)
                                .map(each -> each.name() + ": "
                                        + (unseen.contains(each.name())
                                                ? "sockets not observed, "
                                                : each.lost() + " dropped, ")
                                        + (each.naks() == 0 ? "no NAK" : Format.counted(each.naks(), "NAK")))
                                .collect(Collectors.joining("; "))
                        + (controls.size() > SHOWN_CONTROLS
                                ? "; and " + Format.count(controls.size() - SHOWN_CONTROLS) + " more"
                                : ""));
    }

    /**
     * Returns the answer in one sentence.
     *
     * @param cause the diagnosed cause, as in the documents
     * @param confidence {@code null}: not known
     */
    public String answer(String cause, @Nullable String confidence) {
        if (isUnobserved()) {
            return "This run shows nothing: it" + NOT_SEEN.substring("the run".length()) + ".";
        }
        String named = cause + (confidence == null || confidence.isEmpty() ? "" : ", " + confidence);
        if (cause.equals("clean") && isBlind()) {
            return "Whether anything was lost is not known: " + notObserved() + " (" + named + ").";
        }
        return switch (cause) {
            case "clean" ->
                effects(cause).isEmpty()
                        ? "Nothing was lost" + harmlessStall() + " (" + named + ")."
                        : effect(cause) + ", and the diagnosis found no cause (" + named + ").";
            case "unknown" -> "The run ended without a diagnosis.";
            case "cannot-tell" -> effect(cause) + "; the evidence does not say why (" + named + ").";
            default ->
                effect(cause) + (isHarmless(cause) ? ", although " : ", because ") + CauseWords.of(cause) + " (" + named
                        + ").";
        };
    }

    /** A stall that cost nothing is still one. */
    private String harmlessStall() {
        return stall.map(each -> ", and a stall of " + Format.milliseconds(each.durationMs()) + " cost nothing")
                .orElse(" and nothing needs an explanation");
    }

    private boolean isHarmless(String cause) {
        return service != null && effects(cause).isEmpty();
    }

    private static String subject(Receiver own) {
        return own.isWatched() ? own.who() : "the service";
    }

    private String effect(String cause) {
        List<String> effects = effects(cause);
        Receiver own = service;
        String nothing = (own == null ? "the service" : subject(own))
                + (isBlind() ? " is not known to have lost anything" : " lost nothing");
        String sentence = effects.isEmpty() ? nothing : String.join(" and ", effects);
        return sentence.startsWith("the ") ? "T" + sentence.substring(1) : sentence;
    }

    /** A stall for another reason is no part of the answer, nor is what another process lost than the one that stalled. */
    private List<String> effects(String cause) {
        List<String> effects = new ArrayList<>();
        Optional<Stall> named = stall.filter(each -> each.cause().equals(cause));
        named.ifPresent(
                each -> effects.add(each.who() + " received nothing for " + Format.milliseconds(each.durationMs())));
        Optional<Receiver> other = named.flatMap(each -> controls.stream()
                .filter(control -> control.name().equals(each.process()))
                .findFirst());
        if (other.isPresent()) {
            other.filter(control -> control.drops().all() > 0)
                    .ifPresent(control -> effects.add(control.name() + " lost "
                            + Format.counted(control.drops().all(), "datagram")));
            return effects;
        }
        Receiver own = service;
        if (own != null && own.drops().all() > 0) {
            effects.add(subject(own) + " lost " + Format.counted(own.drops().all(), "datagram"));
        } else if (own != null && own.naks() > 0) {
            effects.add(subject(own) + " sent " + Format.counted(own.naks(), "NAK"));
        } else if (own != null && own.missing() > 0) {
            effects.add(subject(own) + " missed " + Format.counted(own.missing(), "event"));
        }
        long others = controls.stream().mapToLong(each -> each.drops().all()).sum();
        if (effects.isEmpty() && others > 0) {
            effects.add("the control group lost " + Format.counted(others, "datagram"));
        }
        if (own == null) {
            effects.add("the service gave no final report");
        }
        return effects;
    }
}
