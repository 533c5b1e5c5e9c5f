package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.Journal;
import org.naklab.messaging.EventType;
import org.naklab.messaging.FeedDigest;
import org.naklab.messaging.OrderEvent;
import org.naklab.messaging.OrderEventCodec;
import org.naklab.messaging.Side;
import org.naklab.messaging.codec.MessageHeaderEncoder;
import org.naklab.messaging.codec.TrailerEncoder;

/** What the commands on a journal come to, by what the journal is like. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class JournalCommandsTest {
    @TempDir
    private Path temporary;

    @Test
    void shouldTakeAWholeJournal() {
        Path journal = write(3, 3, 3);
        assertThat(CommandLineRun.of("journal", "verify", journal.toString()).exitCode())
                .isZero();
        assertSilent(CommandLineRun.of("journal", "dump", journal.toString()));
        assertSilent(export(journal));
    }

    @Test
    void shouldWarnOfAJournalWithoutAMiddle() {
        assertWarns(write(3, 3, 2), "the journal is not what the feed sent");
    }

    @Test
    void shouldWarnOfAJournalWithoutAnEnd() {
        assertWarns(write(3, -1, 3), "what is there is sound, but whether it is all cannot be told");
    }

    @Test
    void shouldNeitherPassNorFailAJournalInWhichNothingIs() {
        CommandLineRun run =
                CommandLineRun.of("journal", "verify", write(0, 0, 0).toString());
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.outLines()).last().asString().startsWith("UNKNOWN").contains("the journal is empty");
    }

    @Test
    void shouldNotTakeTheJournalOfAnotherFeed() {
        Path journal = write(3, 3, 3);
        assertThat(CommandLineRun.of("journal", "verify", "--feed", "4d", journal.toString())
                        .exitCode())
                .isZero();
        CommandLineRun run = CommandLineRun.of("journal", "verify", "--feed", "4e", journal.toString());
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("000000000000004d, not 000000000000004e, which it should be");
        assertThat(CommandLineRun.of("journal", "verify", "--feed", "feed?", journal.toString())
                        .exitCode())
                .isEqualTo(ExitCode.USAGE);
    }

    private void assertWarns(Path journal, String warning) {
        CommandLineRun dump = CommandLineRun.of("journal", "dump", journal.toString());
        assertThat(dump.exitCode()).isEqualTo(1);
        assertThat(dump.outLines()).isNotEmpty();
        assertThat(dump.err()).contains("is not whole: " + warning);

        CommandLineRun partialDump = CommandLineRun.of("journal", "dump", "--partial", journal.toString());
        assertThat(partialDump.exitCode()).isZero();
        assertThat(partialDump.err()).contains("is not whole: " + warning);

        CommandLineRun export = export(journal);
        assertThat(export.exitCode()).isEqualTo(1);
        assertThat(export.err()).contains("is not whole: " + warning);
    }

    private static void assertSilent(CommandLineRun run) {
        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
    }

    private CommandLineRun export(Path journal) {
        return CommandLineRun.of(
                "journal",
                "export",
                journal.toString(),
                "--csv",
                temporary.resolve("csv").toString());
    }

    /** Events 1 to {@code last}, of which those beyond {@code kept} but the last are left out; no trailer when it counts -1. */
    private Path write(int last, int trailerCount, int kept) {
        Path directory = temporary.resolve("journal");
        OrderEventCodec codec = new OrderEventCodec();
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[OrderEventCodec.MAX_LENGTH]);
        FeedDigest digest = new FeedDigest();
        try (Journal journal =
                Journal.create(new Journal.Context().directory(directory).feedId(0x4d))) {
            long timestampNs = TimeUnit.DAYS.toNanos(20_000);
            for (int sequence = 1; sequence <= last; sequence++) {
                OrderEvent event = new OrderEvent();
                event.set(EventType.ADD, 1, sequence, sequence, Side.BUY, 100, 10);
                event.sequence = sequence;
                int length = codec.encode(event, buffer, 0);
                digest.update(buffer, 0, length);
                if (sequence < kept || sequence == last) {
                    journal.append(timestampNs, buffer, 0, length);
                }
            }
            if (trailerCount >= 0) {
                new TrailerEncoder()
                        .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                        .lastSequence(trailerCount)
                        .digest(digest.value());
                journal.append(
                        timestampNs, buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + TrailerEncoder.BLOCK_LENGTH);
            }
        }
        return directory;
    }
}
