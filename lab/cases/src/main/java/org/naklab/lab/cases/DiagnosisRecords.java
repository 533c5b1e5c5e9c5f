package org.naklab.lab.cases;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.diagnosis.NamedCause;
import org.naklab.lab.records.DiagnosedStalls;
import org.naklab.lab.records.DiagnosisRecord;
import org.naklab.lab.records.Stall;

/** Makes {@code diagnosis.json} of a diagnosis. */
public final class DiagnosisRecords {
    private DiagnosisRecords() {}

    /**
     * Returns the document of a diagnosis.
     *
     * @param stalls of the run, with their accounts
     */
    public static DiagnosisRecord of(Diagnosis diagnosis, List<Stall> stalls) {
        return new DiagnosisRecord(
                new DiagnosisRecord.Named(
                        diagnosis.cause().label(), diagnosis.confidence().label()),
                new DiagnosisRecord.Grounds(
                        diagnosis.evidence().stream()
                                .map(each -> new DiagnosisRecord.Evidence(each.atNs(), each.text(), each.figure()))
                                .toList(),
                        diagnosis.chain().stream()
                                .map(link -> new DiagnosisRecord.Link(
                                        link.type().name(), link.present(), link.inOrder(), link.atNs()))
                                .toList(),
                        diagnosis.suspects().stream()
                                .map(each -> new DiagnosisRecord.Suspect(each.name(), each.ruledOut(), each.figure()))
                                .toList()),
                new DiagnosisRecord.Advice(diagnosis.noted(), diagnosis.wouldSettle(), diagnosis.remedy()),
                new DiagnosisRecord.Others(
                        diagnosis.causes().stream().map(DiagnosisRecords::cause).toList(),
                        stalls.stream()
                                .filter(stall -> isOf(diagnosis.stall(), stall))
                                .findFirst()
                                .orElse(null),
                        stalls));
    }

    private static DiagnosedStalls.DiagnosedCause cause(NamedCause cause) {
        return new DiagnosedStalls.DiagnosedCause(
                cause.cause().label(),
                cause.confidence().label(),
                cause.process(),
                cause.thread(),
                cause.atNs(),
                cause.durationMs(),
                cause.lostDatagrams(),
                cause.remedy());
    }

    private static boolean isOf(@Nullable TimelineEvent event, Stall stall) {
        return event != null
                && event.timeNs() == stall.atNs()
                && event.process().equals(stall.process())
                && event.thread().equals(stall.thread());
    }
}
