package org.naklab.faults.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.faults.FaultException;

@Timeout(60)
final class LockedPagesTest {
    @Test
    void shouldNameTheLimitThatKeepsPagesFromBeingLocked() {
        assertThatThrownBy(() -> new LockedPages(65_536, 2_000_000).requireAll())
                .isInstanceOf(FaultException.class)
                .hasMessageContainingAll("65536 of 2065536 bytes", "RLIMIT_MEMLOCK", "default-ulimits");
    }

    @Test
    void shouldTakePagesThatAreAllLocked() {
        LockedPages all = new LockedPages(2_000_000, 0);
        assertThat(all.requireAll()).isSameAs(all);
    }
}
