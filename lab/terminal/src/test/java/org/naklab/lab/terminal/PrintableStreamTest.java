package org.naklab.lab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
final class PrintableStreamTest {
    private static final String OWN = "\u001b[1m\u001b[31mFAIL\u001b[39m\u001b[22m done\n\r\u001b[Ktwo\r\u001b[K";

    @Test
    void shouldPassTheLabsOwnSequencesToATerminal() {
        assertThat(printed(OWN, true)).isEqualTo(OWN);
    }

    /** Of picocli's sequence, many terminals make a double underline for the rest of the text. */
    @Test
    void shouldEndBoldTextAsTerminalsExpect() {
        assertThat(printed("\u001b[1mFAIL\u001b[21m done", true)).isEqualTo("\u001b[1mFAIL\u001b[22m done");
    }

    @Test
    void shouldColourNoFile() {
        assertThat(printed("\u001b[31mFAIL\u001b[39m\n", false)).isEqualTo("\\x1b[31mFAIL\\x1b[39m\n");
        assertThat(printed("a,b\r\nc,d\r\n", false)).as("CSV").isEqualTo("a,b\r\nc,d\r\n");
    }

    /** As with --color always. */
    @Test
    void shouldColourAFileWhereThatIsWanted() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintableStream filter = new PrintableStream(out, false);
        filter.passColours();
        try (PrintStream stream = new PrintStream(filter, true, StandardCharsets.UTF_8)) {
            stream.print("\u001b[31mFAIL\u001b[39m\u001b[2J");
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("\u001b[31mFAIL\u001b[39m\\x1b[2J");
    }

    @Test
    void shouldReplaceAllOtherControlCharacters() {
        String hostile = "\u001b]0;owned\u0007\u001b[2J\u001b[1;1H\rPASS\b\u009b31m\u202e\u001b[31;31;31;31;31;31m.";
        for (boolean isTerminal : new boolean[] {true, false}) {
            assertThat(printed(hostile, isTerminal))
                    .isEqualTo(
                            "\\x1b]0;owned\\x07\\x1b[2J\\x1b[1;1H\\x0dPASS\\x08\\x9b31m\\u202e\\x1b[31;31;31;31;31;31m.");
        }
        assertThat(printed("\u001b\u001b[31m\r\r\n.", true)).isEqualTo("\\x1b\u001b[31m\\x0d\r\n.");
    }

    @Test
    void shouldPassOtherTextHoweverItIsCut() {
        String text = "µs … 東京 \uD83D\uDE00 " + OWN + "\u001b]";
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 200; round++) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (PrintStream stream = new PrintStream(new PrintableStream(out, true), true, StandardCharsets.UTF_8)) {
                for (int from = 0; from < bytes.length; ) {
                    int length = Math.min(random.nextInt(1, 6), bytes.length - from);
                    stream.write(bytes, from, length);
                    from += length;
                }
            }
            assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(text.replace("\u001b]", "\\x1b]"));
        }
    }

    private static String printed(String text, boolean isTerminal) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PrintStream stream = new PrintStream(new PrintableStream(out, isTerminal), true, StandardCharsets.UTF_8)) {
            stream.print(text);
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
