package org.naklab.lab.scenarios;

import java.util.List;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.Confidence;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.diagnosis.NamedCause;

/** Diagnoses that name one cause and say no more. */
public final class Diagnoses {
    private Diagnoses() {}

    public static Diagnosis of(Cause cause, Confidence confidence) {
        List<NamedCause> causes = cause == Cause.CLEAN
                ? List.of()
                : List.of(new NamedCause(cause, confidence, "mds", "", 0, 0, 0, cause.remedy()));
        return new Diagnosis(
                cause, confidence, causes, null, List.of(), List.of(), List.of(), List.of(), List.of(), cause.remedy());
    }
}
