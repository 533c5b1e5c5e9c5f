package org.naklab.lab.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {
    @Test
    void shouldReplaceWhatMovesColoursOrTurnsText() {
        assertThat(Printable.of("r\nPASS \u001b[32mok\u0007\t\u009b31m\u007f"))
                .isEqualTo("r\\x0aPASS \\x1b[32mok\\x07\\x09\\x9b31m\\x7f");
        assertThat(Printable.of("a\u202eb\u2028c\u2066d")).isEqualTo("a\\u202eb\\u2028c\\u2066d");
        assertThat(Printable.lines("one\ntwo\r")).isEqualTo("one\ntwo\\x0d");
    }

    @Test
    void shouldLeaveOtherTextAsItIs() {
        String text = "mds/receiver-1 µs … 東京 \uD83D\uDE00";
        assertThat(Printable.of(text)).isSameAs(text);
    }
}
