package org.naklab.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.naklab.lab.core.Format;

/** A run in at most ten lines, told from its figures alone. */
final class RunSummary {
    private static final String SERVICE = "mds";

    /**
     * One line.
     *
     * @param head what it is about
     */
    record Line(String head, String text) {}

    private final JsonNode run;
    private final JsonNode diagnosis;
    private final RunFiles files;
    private final TimeAxis axis;
    private final Optional<MainStall> stall;
    private final List<Line> lines = new ArrayList<>();

    private RunSummary(RunFiles files, TimeAxis axis) {
        this.files = files;
        this.axis = axis;
        run = files.run();
        diagnosis = files.diagnosis();
        stall = MainStall.longest(run);
    }

    static List<Line> tell(RunFiles files, TimeAxis axis) {
        RunSummary story = new RunSummary(files, axis);
        story.ran();
        story.cause();
        story.stalled();
        story.why();
        story.lost();
        story.asked();
        story.control();
        story.end();
        story.ruledOut();
        story.remedy();
        return List.copyOf(story.lines);
    }

    private void ran() {
        JsonNode messages = run.path("messages");
        say(
                "Ran",
                text("scenario") + ", fidelity " + text("fidelity") + ", remedy " + text("remedy") + ", profile "
                        + text("profile") + ", seed " + run.path("seed").asLong() + ": "
                        + Format.count(messages.path("published").asLong()) + " events published in "
                        + Format.seconds(run.path("elapsedMs").asLong() * 1_000_000));
    }

    private void cause() {
        if (diagnosis.isMissingNode()) {
            say("Cause", text("diagnosis") + " (this run kept no diagnosis with its evidence)");
            return;
        }
        String settle = list(diagnosis.path("wouldSettle"), JsonNode::asText);
        say(
                "Cause",
                diagnosis.path("cause").asText() + ", "
                        + diagnosis.path("confidence").asText()
                        + (settle.isEmpty() ? "" : "; what would settle it: " + settle));
    }

    private void stalled() {
        if (stall.isEmpty()) {
            say("Stalled", "no receipt thread for 20 ms or more, once the run was warm");
            return;
        }
        MainStall longest = stall.orElseThrow();
        Double phaseMs = axis.phaseMs(longest.atNs());
        int others = run.path("stalls").size() - 1;
        say(
                "Stalled",
                longest.thread() + " for " + Format.milliseconds(longest.durationMs()) + ", from "
                        + axis.clock(longest.atNs())
                        + (phaseMs == null ? "" : ", " + Format.milliseconds(phaseMs) + " after a second boundary")
                        + (longest.majorFaults() < 0
                                ? ""
                                : ", with " + Format.count(longest.majorFaults()) + " major faults")
                        + (others > 0 ? "; shorter ones beside it: " + others : ""));
    }

    private void why() {
        String evidence = list(
                diagnosis.path("evidence"),
                each -> each.path("text").asText() + " (" + each.path("figure").asText() + ")");
        if (!evidence.isEmpty()) {
            say("Because", evidence + bind());
        } else if (stall.isPresent()) {
            say("Because", "cause " + stall.orElseThrow().cause() + " by the run's own account");
        }
    }

    /** That the late bind and the stall begin together is what ties them; empty where the chain has no bind. */
    private String bind() {
        return stall.flatMap(
                        begun -> StreamSupport.stream(diagnosis.path("chain").spliterator(), false)
                                .filter(link -> link.path("link").asText().equals("SYMBOL_BOUND")
                                        && link.path("present").asBoolean())
                                .findFirst()
                                .map(link -> "; the bind began "
                                        + Format.distance(link.path("atNs").asLong() - begun.atNs()) + " the stall"))
                .orElse("");
    }

    private void lost() {
        long depth = run.path("maxSocketDepthBytes").asLong();
        long drops = run.path("datagramsDropped").asLong();
        String limit = limitBytes() == 0 ? "" : " of " + Format.bytes(limitBytes());
        say(
                "Lost",
                (drops == 0 ? "no datagram" : Format.count(drops) + " datagrams, dropped by a full socket")
                        + "; the deepest socket held " + Format.bytes(depth) + limit
                        + after("DATAGRAMS_DROPPED", "first drop"));
    }

    private long limitBytes() {
        for (JsonNode subscriber : run.path("subscribers")) {
            if (subscriber.path("name").asText().equals(SERVICE)) {
                return subscriber.path("grantedReceiveBufferBytes").asLong();
            }
        }
        return 0;
    }

    /** How long after the stall's beginning the service's first event of a kind came; empty where there is no such thing. */
    private String after(String type, String what) {
        return stall.flatMap(begun -> files.events(type).stream()
                        .filter(event -> event.process().equals(SERVICE) && event.timeNs() >= begun.atNs())
                        .findFirst()
                        .map(event -> String.format(
                                Locale.ROOT,
                                "; %s %.1f ms after the stall began",
                                what,
                                (event.timeNs() - begun.atNs()) / 1e6)))
                .orElse("");
    }

    private void asked() {
        long naks = run.path("naks").asLong();
        say(
                "Asked",
                Format.count(naks) + " NAKs, "
                        + Format.count(run.path("retransmits").asLong()) + " retransmissions"
                        + after("NAK_SENT", "first NAK") + after("REPAIRED", "repaired"));
    }

    private void control() {
        String others = StreamSupport.stream(run.path("subscribers").spliterator(), false)
                .filter(subscriber -> !subscriber.path("name").asText().equals(SERVICE))
                .map(subscriber -> subscriber.path("name").asText() + " "
                        + Format.count(
                                subscriber.path("transport").path("naksSent").asLong())
                        + " NAKs, "
                        + Format.count(drops(subscriber.path("name").asText())) + " drops")
                .collect(Collectors.joining("; "));
        if (!others.isEmpty()) {
            say("Control", "the same feed elsewhere: " + others);
        }
    }

    private long drops(String process) {
        return StreamSupport.stream(run.path("sockets").spliterator(), false)
                .filter(socket -> socket.path("process").asText().equals(process))
                .mapToLong(socket -> socket.path("drops").asLong())
                .sum();
    }

    private void end() {
        JsonNode messages = run.path("messages");
        String troubles = list(run.path("troubles"), JsonNode::asText);
        say(
                "At the end",
                Format.count(messages.path("received").asLong()) + " events received, "
                        + Format.count(messages.path("journaled").asLong()) + " journaled, "
                        + Format.count(messages.path("missing").asLong()) + " missing, "
                        + Format.count(messages.path("duplicated").asLong()) + " twice, "
                        + Format.count(messages.path("reordered").asLong()) + " out of order"
                        + (troubles.isEmpty() ? "" : "; trouble: " + troubles));
    }

    private void ruledOut() {
        List<JsonNode> suspects = StreamSupport.stream(
                        diagnosis.path("suspects").spliterator(), false)
                .toList();
        if (suspects.isEmpty()) {
            return;
        }
        String left = suspects.stream()
                .filter(suspect -> !suspect.path("ruledOut").asBoolean())
                .map(suspect -> suspect.path("suspect").asText())
                .collect(Collectors.joining(", "));
        long out = suspects.stream()
                .filter(suspect -> suspect.path("ruledOut").asBoolean())
                .count();
        int blind = run.path("instruments").path("blind").size();
        say(
                "Ruled out",
                out + " of " + suspects.size() + " suspects by figures below"
                        + (left.isEmpty() ? "" : "; not: " + left)
                        + (blind == 0 ? "" : "; blind instruments: " + blind));
    }

    private void remedy() {
        String remedy = diagnosis.path("remedy").asText("");
        if (!remedy.isEmpty()) {
            say("Remedy", remedy);
        }
    }

    private String text(String key) {
        return run.path(key).asText("unknown");
    }

    private void say(String head, String text) {
        lines.add(new Line(head, text));
    }

    private static String list(JsonNode nodes, java.util.function.Function<JsonNode, String> as) {
        return StreamSupport.stream(nodes.spliterator(), false)
                .map(as)
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("; "));
    }
}
