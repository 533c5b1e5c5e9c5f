package org.naklab.lab.scenarios.record;

import java.util.List;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.runs.record.DiagnosisRecord;

/** Makes {@code diagnosis.json} of a diagnosis. */
final class DiagnosisRecords {
    private DiagnosisRecords() {}

    static DiagnosisRecord of(Diagnosis diagnosis) {
        return new DiagnosisRecord(
                diagnosis.cause().label(),
                diagnosis.confidence().label(),
                diagnosis.evidence().stream()
                        .map(each -> new DiagnosisRecord.Evidence(each.atNs(), each.text(), each.figure()))
                        .toList(),
                diagnosis.chain().stream()
                        .map(link -> new DiagnosisRecord.Link(
                                link.type().name(), link.present(), link.inOrder(), link.atNs()))
                        .toList(),
                diagnosis.suspects().stream()
                        .map(each -> new DiagnosisRecord.Suspect(each.name(), each.ruledOut(), each.figure()))
                        .toList(),
                diagnosis.noted(),
                diagnosis.wouldSettle().isEmpty() ? List.of() : List.of(diagnosis.wouldSettle()),
                diagnosis.remedy());
    }
}
