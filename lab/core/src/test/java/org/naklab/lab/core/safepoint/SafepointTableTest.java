package org.naklab.lab.core.safepoint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SafepointTableTest {
    @Test
    void shouldSumUpByOperation() {
        SafepointTable table = new SafepointTable();
        table.add("Cleanup", 100, 40, 1_000_000_000L);
        table.add("Cleanup", 300, 50, 3_999_999_999L);
        table.add("FindDeadlocks", 200, 200, -1);
        assertThat(table.rows()).extracting(SafepointTable.Row::operation).containsExactly("Cleanup", "FindDeadlocks");
        SafepointTable.Row cleanup = table.rows().get(0);
        assertThat(cleanup.count()).isEqualTo(2);
        assertThat(cleanup.totalNs()).isEqualTo(400);
        assertThat(cleanup.longestNs()).isEqualTo(300);
        assertThat(cleanup.toSafepointNs()).isEqualTo(90);
        assertThat(cleanup.longestToSafepointNs()).isEqualTo(50);
        assertThat(cleanup.phase().get(0)).isEqualTo(1);
        assertThat(cleanup.phase().get(SafepointTable.PHASES - 1)).isEqualTo(1);
        assertThat(table.rows().get(1).phase().get(SafepointTable.PHASES - 1)).isEqualTo(1);
    }
}
