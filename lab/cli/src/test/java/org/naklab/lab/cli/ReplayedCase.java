package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.naklab.lab.cases.CaseReader;
import org.naklab.lab.cases.Judgement;
import org.naklab.lab.core.Json;

/** Judges the case of a live run again. */
final class ReplayedCase {
    private ReplayedCase() {}

    /**
     * Requires that the recorded evidence gives what the live run gave, byte for byte.
     *
     * @param run directory of a run or of a window
     */
    static void assertSame(Path run) throws IOException {
        try (CaseReader reader = CaseReader.open(run)) {
            Judgement judgement = Judgement.of(reader.read(), reader.truth());
            assertThat(Json.pretty(judgement.toRecord()) + "\n")
                    .isEqualTo(Files.readString(run.resolve("diagnosis.json")));
        }
    }
}
