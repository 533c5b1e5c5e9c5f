package org.naklab.lab.records;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.Json;

/** The keys of {@code run.json} and their order are a contract, those included that few runs have. */
@Timeout(60)
final class RunKeysTest {
    @Test
    void shouldWriteEachKeyInItsPlace() throws IOException {
        JsonNode run = run();

        assertThat(Json.parse(Json.line(Json.value(run, RunRecord.class))).toString())
                .isEqualTo(run.toString());
    }

    @Test
    void shouldLeaveOutOfFilesWhatRemainsOfAFault() throws IOException {
        FaultRecord fault = new FaultRecord(true, FaultRecord.Proof.notFired("no datagram came by"), "a file");

        assertThat(fault.left()).isEqualTo("a file");
        assertThat(Json.parse(Json.line(FaultRecord.kept(Map.of("loss", fault))))
                        .toString())
                .isEqualTo("{\"loss\":{\"armed\":true,\"proof\":{\"fired\":false,"
                        + "\"explanation\":\"no datagram came by\",\"figures\":{},\"firings\":[]}}}");
        SubscriberRecord subscriber =
                Json.value(run(), RunRecord.class).service().orElseThrow();
        assertThat(subscriber.kept()).isEqualTo(subscriber);
    }

    private static JsonNode run() throws IOException {
        try (InputStream document =
                Objects.requireNonNull(RunKeysTest.class.getResourceAsStream("run.json"), "run.json")) {
            return Json.parse(document.readAllBytes());
        }
    }
}
