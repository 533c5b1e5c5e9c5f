package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class WrappingTest {
    @Test
    void shouldBreakAtSpacesOnly() {
        assertThat(Wrapping.lines("one two three", 7)).containsExactly("one two", "three");
        assertThat(Wrapping.lines("a-word-that-is-long of no use", 6))
                .containsExactly("a-word-that-is-long", "of no", "use");
    }

    @Test
    void shouldLeaveAloneWhatFits() {
        assertThat(Wrapping.lines("one two three", 13)).containsExactly("one two three");
        assertThat(Wrapping.lines("", 5)).containsExactly("");
        assertThat(Wrapping.hanging("  why  ", "one two", Integer.MAX_VALUE)).containsExactly("  why  one two");
    }

    @Test
    void shouldPutLaterLinesUnderTheFirst() {
        assertThat(Wrapping.hanging("  why  ", "one two three", 14)).containsExactly("  why  one two", "       three");
    }
}
