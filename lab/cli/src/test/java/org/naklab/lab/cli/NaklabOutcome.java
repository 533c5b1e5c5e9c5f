package org.naklab.lab.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import org.naklab.lab.core.Json;

/** What a run that was waited for left behind. */
record NaklabOutcome(int exitCode, String out, String err) {
    /** Of a run that was made with {@code --json}. */
    JsonNode document() {
        try {
            return Json.parse(out);
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON document with exit code " + exitCode + ":\n" + out + err, e);
        }
    }
}
