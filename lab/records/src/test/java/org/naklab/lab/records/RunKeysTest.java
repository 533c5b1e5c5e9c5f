package org.naklab.lab.records;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.Json;

/** The keys of {@code run.json} and their order are a contract, those included that few runs have. */
@Timeout(60)
final class RunKeysTest {
    @Test
    void shouldWriteEachKeyInItsPlace() throws IOException {
        JsonNode run = RunFiles.run();

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
                Json.value(RunFiles.run(), RunRecord.class).service().orElseThrow();
        assertThat(subscriber.kept()).isEqualTo(subscriber);
    }
}
