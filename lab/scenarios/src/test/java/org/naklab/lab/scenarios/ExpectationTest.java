package org.naklab.lab.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ExpectationTest {
    private static final Claim CLAIM = NoLossChecks.Claims.IN_ORDER;

    /** "gateway-1 has no missing events: 1,049" would be read as its opposite. */
    @Test
    void shouldSayWhatWasExpectedAndWhatWasFound() {
        assertThat(Expectation.none(CLAIM, "gateway-1", 1_049).sentence())
                .isEqualTo("expected: gateway-1 has no missing, duplicated or reordered events; found: 1,049");
        assertThat(Expectation.none(CLAIM, "gateway-1", 1_049).inDoubt().sentence())
                .isEqualTo("not shown: gateway-1 has no missing, duplicated or reordered events; known: 1,049");
        assertThat(Expectation.none(CLAIM, "gateway-1", 0).sentence())
                .isEqualTo("gateway-1 has no missing, duplicated or reordered events: 0");
    }
}
