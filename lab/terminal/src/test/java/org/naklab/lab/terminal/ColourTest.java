package org.naklab.lab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ColourTest {
    @Test
    void shouldFollowTheTerminalAndTheEnvironmentUnlessToldOtherwise() {
        assertThat(Colour.AUTO.isOn(true, null)).isTrue();
        assertThat(Colour.AUTO.isOn(true, "")).as("an empty NO_COLOR is none").isTrue();
        assertThat(Colour.AUTO.isOn(true, "1")).isFalse();
        assertThat(Colour.AUTO.isOn(false, null)).isFalse();
        assertThat(Colour.ALWAYS.isOn(false, "1")).isTrue();
        assertThat(Colour.NEVER.isOn(true, null)).isFalse();
    }
}
