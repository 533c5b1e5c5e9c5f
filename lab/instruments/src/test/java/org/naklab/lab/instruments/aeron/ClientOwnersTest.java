package org.naklab.lab.instruments.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClientOwnersTest {
    private final Map<Long, Set<Long>> byProcess = new LinkedHashMap<>();

    @Test
    void shouldFindTheProcessThatHasMappedAllLogBuffersOfAClient() {
        byProcess.put(100L, Set.of(1L, 2L));
        byProcess.put(200L, Set.of(2L, 3L));

        assertThat(ClientOwners.resolve(Map.of(7L, Set.of(1L, 2L), 8L, Set.of(2L, 3L)), byProcess))
                .isEqualTo(Map.of(7L, List.of(100L), 8L, List.of(200L)));
    }

    @Test
    void shouldOrderClientsThatCannotBeToldApartByTheStartOfTheirProcesses() {
        byProcess.put(200L, Set.of(1L));
        byProcess.put(100L, Set.of(1L));

        assertThat(ClientOwners.resolve(Map.of(8L, Set.of(1L), 7L, Set.of(1L)), byProcess))
                .isEqualTo(Map.of(7L, List.of(200L, 100L), 8L, List.of(100L, 200L)));
    }

    @Test
    void shouldFindNoProcessOfAClientWithoutStreams() {
        byProcess.put(100L, Set.of(1L));

        assertThat(ClientOwners.resolve(Map.of(7L, Set.of(), 8L, Set.of(9L)), byProcess))
                .isEmpty();
    }
}
