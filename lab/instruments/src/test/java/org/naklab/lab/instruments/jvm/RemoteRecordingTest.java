package org.naklab.lab.instruments.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class RemoteRecordingTest {
    @Test
    void shouldStartAllByOneCommandIfItIsShort() {
        assertThat(RemoteRecording.joined(List.of("a", "b", "c"))).containsExactly("a\nb\nc");
    }

    @Test
    void shouldSendNoCommandThatAnOlderJvmHangsUpOn() {
        String line = "x".repeat(600);
        assertThat(RemoteRecording.joined(List.of(line, line, "c")))
                .containsExactly(line, line + "\nc")
                .allMatch(command -> command.length() < 1_024);
    }
}
