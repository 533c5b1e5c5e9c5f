package org.naklab.lab.watch.command.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ScreenTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Screen screen = new Screen(out);
    private final VirtualTerminal terminal = new VirtualTerminal(20, 4);

    @Test
    void shouldLeaveNothingOfTheLastFrame() {
        draw(List.of("one one one one one", "two", "three", "four", "five"), 20, 4);
        assertThat(terminal.screen()).containsExactly("one one one one one", "two", "three", "four");
        draw(List.of("1", "2"), 20, 4);
        assertThat(terminal.screen()).containsExactly("1", "2", "", "");
    }

    @Test
    void shouldClipLinesOfANarrowTerminal() {
        terminal.resize(6, 3);
        draw(List.of("\u001b[31m123456789\u001b[39m.", "ab"), 6, 3);
        assertThat(terminal.screen()).containsExactly("12345", "ab", "");
        assertThat(Screen.clipped("\u001b[1mabc\u001b[22m", 2)).isEqualTo("\u001b[1mab\u001b[22m\u001b[0m");
        draw(List.of("x"), 1, 1);
        assertThat(terminal.screen()).containsOnly("");
    }

    @Test
    void shouldGiveTheTerminalBackOnce() {
        terminal.print("$ naklab watch 1\r\n");
        draw(List.of("frame"), 20, 4);
        assertThat(terminal.isClean()).isFalse();
        screen.close();
        screen.close();
        draw(List.of("too late"), 20, 4);
        assertThat(terminal.isClean()).isTrue();
        assertThat(terminal.lines()).containsExactly("$ naklab watch 1", "");
    }

    @Test
    void shouldWriteNothingIfNothingWasDrawn() {
        screen.close();
        draw(List.of("too late"), 20, 4);
        assertThat(out.size()).isZero();
    }

    private void draw(List<String> lines, int columns, int rows) {
        screen.draw(lines, new TerminalSize(columns, rows));
        terminal.print(out.toString(StandardCharsets.UTF_8));
        out.reset();
    }
}
