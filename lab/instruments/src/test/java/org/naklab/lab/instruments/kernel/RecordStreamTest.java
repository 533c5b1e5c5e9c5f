package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.DetectException;

/** Reads lines of the recorder's program, whole and cut off. */
@Timeout(10)
class RecordStreamTest {
    private static final String READY = "{\"type\":\"ready\",\"timeNs\":1,\"faults\":true}";
    private static final String LOST = "{\"type\":\"lost\",\"timeNs\":2,\"what\":\"absences\",\"count\":3}";
    private static final String ABSENCE =
            "{\"type\":\"absence\",\"beginNs\":1,\"endNs\":2,\"state\":\"preempted\",\"beginCpu\":1,\"endCpu\":1,"
                    + "\"task\":{\"pid\":42,\"tid\":42,\"comm\":\"recv\"},\"next\":{\"pid\":7,\"tid\":7,\"comm\":\"other\"}}";
    private static final String END = "{\"type\":\"end\",\"timeNs\":3}";

    private final RecordLog log = new RecordLog();
    private final RecordStream stream = new RecordStream(false, kernelRecord -> kernelRecord, line -> {}, log);

    private void read(String... lines) {
        List.of(lines).forEach(stream::onLine);
        stream.onEnd();
    }

    @Test
    void shouldDeliverWhatIsBetweenTheBeginAndTheEnd() {
        read(READY, LOST, END);

        assertThat(stream.ready().join().faults()).isTrue();
        assertThat(log.of(LostRecords.class)).extracting(LostRecords::count).isEqualTo(List.of(3L));
        assertThat(log.of(KernelRecord.RecorderEnd.class))
                .extracting(KernelRecord.RecorderEnd::reason)
                .containsExactly("");
    }

    @Test
    void shouldSayThatTheProgramEndedByItself() {
        read(READY, LOST);

        assertThat(log.of(KernelRecord.RecorderEnd.class))
                .extracting(KernelRecord.RecorderEnd::reason)
                .containsExactly("the recorder's program ended by itself");
    }

    /** Ctrl-C reaches the program as well as the lab. */
    @Test
    void shouldSayThatTheProgramWasEndedWithinALine() {
        read(READY, LOST, "{\"type\":\"absence\",\"timeNs\":17,\"ta");

        assertThat(log.of(LostRecords.class)).hasSize(1);
        assertThat(log.of(KernelRecord.RecorderEnd.class))
                .extracting(KernelRecord.RecorderEnd::reason)
                .containsExactly("the recorder's program was ended while it wrote a record");
    }

    /** Nobody waits for an answer of a program that has ended, whether the question came before or after its end. */
    @Test
    void shouldAnswerAllWhoWaitWhenTheProgramEnds() {
        var before = stream.expect(7);
        read("{\"type\":\"unavailable\",\"reason\":\"not root\"}");

        for (var answer : List.of(stream.ready(), before, stream.expect(8))) {
            assertThatThrownBy(answer::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(DetectException.class)
                    .hasMessageContaining("no BPF recorder: not root");
        }
        assertThat(log.of(KernelRecord.RecorderEnd.class))
                .as("nothing had begun")
                .isEmpty();
    }

    @Test
    void shouldSayWhatKeptItFromReadingARecord() {
        stream.onLine(READY);
        stream.onBroken(new IllegalStateException("a damaged file"));
        stream.onEnd();

        assertThat(log.of(KernelRecord.RecorderEnd.class))
                .extracting(KernelRecord.RecorderEnd::reason)
                .containsExactly("a record could not be read: java.lang.IllegalStateException: a damaged file");
    }

    /** What was held back is resolved at the end. */
    @Test
    void shouldEndThoughThePlacesOfARecordCannotBeRead() {
        RecordStream deferred = new RecordStream(
                true,
                kernelRecord -> {
                    throw new IllegalStateException("a damaged file");
                },
                line -> {},
                log);
        deferred.onLine(READY);
        deferred.onLine(ABSENCE);
        deferred.onEnd();

        assertThat(log.of(KernelRecord.RecorderEnd.class))
                .extracting(KernelRecord.RecorderEnd::reason)
                .containsExactly("a record could not be read: java.lang.IllegalStateException: a damaged file");
    }

    @Test
    void shouldRefuseALineThatIsNoneOfTheProgram() {
        assertThatThrownBy(() -> read(READY, "{\"type\":\"nonsense\"}"))
                .isInstanceOf(DetectException.class)
                .hasMessageContaining("nonsense");
    }

    /** A run keeps thousands of stacks. */
    @Test
    void shouldKeepOneCopyOfEachFunctionsName() {
        String line = ABSENCE.replace("\"next\"", "\"kernelStack\":[\"schedule\"],\"next\"");
        read(READY, line, line, END);

        List<Absence> absences = log.of(Absence.class);
        assertThat(absences).hasSize(2);
        assertThat(absences.get(0).kernelStack().get(0))
                .isEqualTo("schedule")
                .isSameAs(absences.get(1).kernelStack().get(0));
        assertThat(absences.get(0).task().comm())
                .isSameAs(absences.get(1).task().comm());
    }
}
