package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.naklab.lab.core.Json;
import org.naklab.testing.LiveRun;

/** What a run that was waited for left behind. */
record NaklabOutcome(int exitCode, String out, String err) {
    /**
     * Makes a run on the real machine, again only if others disturbed the machine, and returns it; it has the verdict pass.
     *
     * @param test names the test
     */
    static NaklabOutcome passed(String test, LiveRun.Run<NaklabOutcome> run) throws IOException {
        NaklabOutcome outcome = LiveRun.make(test, run);
        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();
        return outcome;
    }

    /** Of a run that was made with {@code --json}. */
    JsonNode document() {
        try {
            return Json.parse(out);
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON document with exit code " + exitCode + ":\n" + out + err, e);
        }
    }
}
