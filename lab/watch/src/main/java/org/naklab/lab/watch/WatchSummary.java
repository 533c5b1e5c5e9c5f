package org.naklab.lab.watch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.naklab.lab.cases.Case;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.CoreShared;
import org.naklab.lab.core.timeline.ThreadEvent;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.diagnosis.NamedCause;
import org.naklab.lab.instruments.linux.KernelSetting;
import org.naklab.lab.records.RunDocument;
import org.naklab.lab.records.Stall;
import org.naklab.lab.records.memory.PageFaultRecord;

/** The closing summary of a watch: one sentence for each kind of stall or loss. */
public final class WatchSummary {
    private static final int MAX_GROUPS = 10;
    private static final int MAX_EVIDENCE = 3;
    private static final int MAX_FAULTS = 3;

    private WatchSummary() {}

    /** Returns the lines. */
    public static List<String> lines(WatchFindings findings) {
        return lines(findings, bufferOrReader(findings));
    }

    /**
     * Returns the lines.
     *
     * @param buffers a line for each socket that lost something
     */
    public static List<String> lines(WatchFindings findings, List<String> buffers) {
        List<String> lines = new ArrayList<>();
        Diagnosis diagnosis = findings.diagnosis();
        Optional<Stall> main = RunDocument.mainOf(findings.standstills().stalls());
        List<StallGroup> groups = StallGroup.of(findings.standstills().stalls());
        boolean isTold = false;
        for (StallGroup group : groups.subList(0, Math.min(MAX_GROUPS, groups.size()))) {
            lines.add(group.sentenceOf(fullName(findings, group.longest())));
            lines.add("  account  " + String.join(" ", group.longest().account().terms()));
            faults(findings, group.longest()).forEach(fault -> lines.add("  fault    " + fault));
            boolean isMain = main.filter(group.stalls()::contains).isPresent()
                    && group.longest().cause().equals(diagnosis.cause().label());
            lines.add("  cause    " + group.longest().cause()
                    + (isMain ? ", " + diagnosis.confidence().label() : ""));
            if (isMain) {
                lines.add("  remedy   " + diagnosis.remedy());
                isTold = true;
            }
        }
        if (groups.size() > MAX_GROUPS) {
            lines.add("and " + (groups.size() - MAX_GROUPS) + " other kinds of stall");
        }
        if (findings.standstills().moreStalls() > 0) {
            lines.add("and " + Format.counted(findings.standstills().moreStalls(), "shorter stall"));
        }
        lines.addAll(findings.feed().losses().lines());
        lines.addAll(buffers);
        findings.feed().silences().stream()
                .sorted(Comparator.comparing(each -> -each.interval().lengthNs()))
                .limit(MAX_GROUPS)
                .forEach(each -> lines.add(each.sentence()));
        if (findings.feed().naks() > 0) {
            lines.add(findings.feed().naks() + " NAKs sent");
        }
        findings.details().shared().stream().limit(MAX_GROUPS).forEach(shared -> lines.add(sentence(shared)));
        // What harmed most may be no stall, but a flood beside one.
        if (!isTold && (!findings.isEmpty() || !findings.feed().silences().isEmpty())) {
            lines.add("  cause    " + diagnosis.cause().label() + ", "
                    + diagnosis.confidence().label());
            diagnosis.evidence().stream()
                    .limit(MAX_EVIDENCE)
                    .forEach(each -> lines.add("  because  " + each.text() + " (" + each.figure() + ")"));
            lines.add("  remedy   " + diagnosis.remedy());
        }
        if (diagnosis.causes().size() > 1) {
            lines.add("causes by harm: "
                    + diagnosis.causes().stream().map(WatchSummary::harm).collect(Collectors.joining(", ")));
        }
        lines.addAll(findings.details().own().lines());
        if (findings.isEmpty()) {
            lines.add(
                    findings.blind().isEmpty()
                            ? "no stall of a receiving thread, and no lost datagram"
                            : "no stall of a receiving thread and no lost datagram were seen, but not all was seen:");
        }
        findings.blind().forEach(line -> lines.add("not seen: " + line));
        return lines;
    }

    /** Returns the longest page faults of a stall, each one line. */
    private static List<String> faults(WatchFindings findings, Stall stall) {
        return findings.details().pageFaults().stream()
                .filter(fault -> fault.thread().equals(stall.thread())
                        && fault.atNs() - stall.endNs() < 0
                        && fault.endNs() - stall.atNs() > 0)
                .sorted(Comparator.comparingDouble(PageFaultRecord::durationMs).reversed())
                .limit(MAX_FAULTS)
                .map(PageFaultRecord::sentence)
                .toList();
    }

    /** Returns the name that the JVM has for a thread; the kernel's, of 15 characters, if the JVM did not tell or has several such threads. */
    private static String fullName(WatchFindings findings, Stall stall) {
        Case evidence = findings.evidence();
        List<String> names = evidence == null
                ? List.of()
                : evidence.events().stream()
                        .filter(event -> event.process().equals(stall.process())
                                && event.thread().equals(stall.thread()))
                        .flatMap(TimelineEvent.only(ThreadEvent.OfJvm.class))
                        .flatMap(told -> Stream.ofNullable(told.ids().javaThread()))
                        .distinct()
                        .toList();
        return names.size() == 1 ? names.get(0) : stall.who();
    }

    private static List<String> bufferOrReader(WatchFindings findings) {
        Case evidence = findings.evidence();
        BufferOrReader buffers = new BufferOrReader(findings.process());
        if (evidence != null) {
            evidence.events().stream()
                    .filter(event -> evidence.document().clock().counted().contains(event.timeNs()))
                    .forEach(buffers::onEvent);
        }
        return buffers.lines(allowedBytes());
    }

    /** Returns the largest buffer that the kernel grants, bytes as it counts them, twice what a program asks for; 0: unknown. */
    public static long allowedBytes() {
        return 2 * KernelSetting.rmemMaxBytes().orElse(0);
    }

    private static String harm(NamedCause cause) {
        List<String> harm = new ArrayList<>();
        if (cause.lostDatagrams() > 0) {
            harm.add(Format.counted(cause.lostDatagrams(), "datagram") + " lost");
        }
        if (cause.durationMs() > 0) {
            harm.add(Format.milliseconds(cause.durationMs()));
        }
        return cause.cause().label() + (harm.isEmpty() ? "" : " (" + String.join(", ", harm) + ")");
    }

    private static String sentence(CoreShared shared) {
        return String.format(
                Locale.ROOT,
                "%s also ran on CPU %d of %s: %d times, %.1f ms in total, longest %.1f ms",
                shared.other(),
                shared.cpu(),
                shared.thread(),
                shared.share().count(),
                shared.share().totalNs() / Units.NS_PER_MS,
                shared.share().longestNs() / Units.NS_PER_MS);
    }
}
