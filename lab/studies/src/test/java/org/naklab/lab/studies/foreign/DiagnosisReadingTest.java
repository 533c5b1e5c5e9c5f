package org.naklab.lab.studies.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.studies.foreign.DiagnosisReading.Statement;

@Timeout(60)
final class DiagnosisReadingTest {
    private static final String STALLS = """
            {"verdict":"pass","stalls":[
             {"atNs":1,"durationMs":900,"process":"gateway-1","thread":"gateway-1-context","cause":"cpu-preemption"},
             {"atNs":5,"durationMs":400,"process":"mds","thread":"mds-context","cause":"cannot-tell",
              "account":[{"kind":"frozen","ms":390,"detail":""},{"kind":"unexplained","ms":10,"detail":""}]}]}
            """;

    @TempDir
    private Path directory;

    @Test
    void shouldReadDocumentOfOneCauseAndTakeMainStallOfRun() throws IOException {
        write("diagnosis.json", "{\"cause\":\"slow-callback\",\"confidence\":\"likely\",\"evidence\":[],\"noted\":[]}");
        write("run.json", STALLS);
        DiagnosisReading reading = DiagnosisReading.of(directory);
        assertThat(reading.statements()).containsExactly(new Statement("slow-callback", "likely", 0, 0));
        assertThat(reading.account().ms(AccountKind.FROZEN)).isEqualTo(390);
        assertThat(reading.isMainly(AccountKind.FROZEN)).isTrue();
        assertThat(reading.isMainly(AccountKind.UNEXPLAINED)).isFalse();
    }

    @Test
    void shouldReadAllCausesAndStallThatMatters() throws IOException {
        write("diagnosis.json", """
                {"cause":"process-frozen","confidence":"certain",
                 "causes":[{"cause":"process-frozen","confidence":"certain","process":"mds","thread":"mds-context",
                            "atNs":5,"durationMs":400.5,"lostDatagrams":3,"remedy":"thaw"},
                           {"cause":"cpu-preemption","confidence":"likely","atNs":900,"durationMs":30}],
                 "stall":{"atNs":5,"durationMs":400.5,"process":"mds","thread":"mds-context","cause":"process-frozen",
                          "account":[{"kind":"disk","ms":100},{"kind":"unexplained","ms":300.5}]}}
                """);
        write("run.json", STALLS);
        DiagnosisReading reading = DiagnosisReading.of(directory);
        assertThat(reading.statements())
                .containsExactly(
                        new Statement("process-frozen", "certain", 5, 400.5),
                        new Statement("cpu-preemption", "likely", 900, 30));
        assertThat(reading.account().totalMs()).isEqualTo(400.5);
        assertThat(reading.isMainly(AccountKind.DISK)).as("more is unexplained").isFalse();
    }

    @Test
    void shouldPutMainCauseFirstIfListOfCausesBeginsWithAnother() throws IOException {
        write(
                "diagnosis.json",
                "{\"cause\":\"clean\",\"confidence\":\"certain\",\"causes\":[{\"cause\":\"traffic-burst\"}]}");
        assertThat(DiagnosisReading.of(directory).statements())
                .extracting(Statement::cause)
                .containsExactly("clean", "traffic-burst");
    }

    @Test
    void shouldHaveNoStallWithoutOne() throws IOException {
        write("diagnosis.json", "{\"cause\":\"clean\",\"confidence\":\"certain\"}");
        write("run.json", "{\"verdict\":\"pass\",\"stalls\":[]}");
        DiagnosisReading reading = DiagnosisReading.of(directory);
        assertThat(reading.stall()).isNull();
        assertThat(reading.account().entries()).isEmpty();
    }

    @Test
    void shouldNotInventDiagnosis() {
        assertThatThrownBy(() -> DiagnosisReading.of(directory)).isInstanceOf(UncheckedIOException.class);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
    }
}
