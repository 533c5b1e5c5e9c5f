package org.naklab.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.testing.PublicApi;

/** Whoever uses the API must not have to name a type that is internal. */
@Timeout(60)
class PublicApiTest {
    private static final Set<String> PUBLIC = Set.of("org.naklab.testcontainers");

    @Test
    void shouldNameNoInternalType() throws Exception {
        PublicApi api = PublicApi.of(ContainerFaults.class, PUBLIC);

        assertThat(api.types()).contains(ContainerFaults.class, InjectedFault.class, ExchangeContainer.class);
        assertThat(api.namingInternalTypes(PUBLIC)).isEmpty();
    }
}
