package org.naklab.lab.scenarios.record;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.naklab.lab.core.Json;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.diagnosis.Evidence;
import org.naklab.lab.diagnosis.Link;
import org.naklab.lab.diagnosis.Suspect;

/** {@code diagnosis.json}: the cause with all that speaks for it. Times are CLOCK_MONOTONIC, ns. */
final class DiagnosisDocument {
    private DiagnosisDocument() {}

    static ObjectNode of(Diagnosis diagnosis) {
        ObjectNode document = Json.object()
                .put("cause", diagnosis.cause().label())
                .put("confidence", diagnosis.confidence().label());
        ArrayNode evidence = document.putArray("evidence");
        diagnosis.evidence().forEach(finding -> evidence.add(finding(finding)));
        ArrayNode chain = document.putArray("chain");
        diagnosis.chain().forEach(link -> chain.add(link(link)));
        ArrayNode suspects = document.putArray("suspects");
        diagnosis.suspects().forEach(suspect -> suspects.add(suspect(suspect)));
        diagnosis.noted().forEach(document.putArray("noted")::add);
        ArrayNode wouldSettle = document.putArray("wouldSettle");
        if (!diagnosis.wouldSettle().isEmpty()) {
            wouldSettle.add(diagnosis.wouldSettle());
        }
        return document.put("remedy", diagnosis.remedy());
    }

    private static ObjectNode finding(Evidence finding) {
        return Json.object()
                .put("atNs", finding.atNs())
                .put("text", finding.text())
                .put("figure", finding.figure());
    }

    private static ObjectNode link(Link link) {
        return Json.object()
                .put("link", link.type().name())
                .put("present", link.present())
                .put("inOrder", link.inOrder())
                .put("atNs", link.atNs());
    }

    private static ObjectNode suspect(Suspect suspect) {
        return Json.object()
                .put("suspect", suspect.name())
                .put("ruledOut", suspect.ruledOut())
                .put("figure", suspect.figure());
    }
}
