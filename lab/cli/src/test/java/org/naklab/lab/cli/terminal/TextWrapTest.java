package org.naklab.lab.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class TextWrapTest {
    @Test
    void shouldBreakAtSpacesOnly() {
        assertThat(TextWrap.lines("one two three", 7)).containsExactly("one two", "three");
        assertThat(TextWrap.lines("a-word-that-is-long of no use", 6))
                .containsExactly("a-word-that-is-long", "of no", "use");
    }

    @Test
    void shouldLeaveAloneWhatFits() {
        assertThat(TextWrap.lines("one two three", 13)).containsExactly("one two three");
        assertThat(TextWrap.lines("", 5)).containsExactly("");
        assertThat(TextWrap.hanging("  why  ", "one two", Integer.MAX_VALUE)).containsExactly("  why  one two");
    }

    @Test
    void shouldPutLaterLinesUnderTheFirst() {
        assertThat(TextWrap.hanging("  why  ", "one two three", 14)).containsExactly("  why  one two", "       three");
    }
}
