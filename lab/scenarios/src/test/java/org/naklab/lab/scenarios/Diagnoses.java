package org.naklab.lab.scenarios;

import java.util.List;
import java.util.Map;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.Confidence;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.diagnosis.NamedCause;

/** Diagnoses that name one cause and say no more. */
public final class Diagnoses {
    private Diagnoses() {}

    /**
     * Names several causes.
     *
     * @param causes by their processes, each certain
     */
    public static Diagnosis of(Map<String, Cause> causes) {
        List<NamedCause> named = causes.entrySet().stream()
                .sorted(Map.Entry.<String, Cause>comparingByKey().reversed())
                .map(each -> new NamedCause(
                        each.getValue(),
                        Confidence.CERTAIN,
                        each.getKey(),
                        "",
                        0,
                        0,
                        0,
                        each.getValue().remedy()))
                .toList();
        return new Diagnosis(
                named.get(0).cause(),
                Confidence.CERTAIN,
                named,
                null,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                named.get(0).remedy());
    }

    public static Diagnosis of(Cause cause, Confidence confidence) {
        List<NamedCause> causes = cause == Cause.CLEAN
                ? List.of()
                : List.of(new NamedCause(cause, confidence, "mds", "", 0, 0, 0, cause.remedy()));
        return new Diagnosis(
                cause, confidence, causes, null, List.of(), List.of(), List.of(), List.of(), List.of(), cause.remedy());
    }
}
