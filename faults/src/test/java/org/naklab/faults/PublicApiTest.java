package org.naklab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.testing.PublicApi;

/** Whoever uses the API must not have to name a type that is internal. */
@Timeout(60)
class PublicApiTest {
    /** The public packages, as listed in docs/architecture.md. */
    private static final Set<String> PUBLIC = Set.of(
            "org.naklab.faults",
            "org.naklab.faults.binding",
            "org.naklab.faults.datagram",
            "org.naklab.faults.description",
            "org.naklab.faults.guard",
            "org.naklab.faults.host",
            "org.naklab.faults.junit",
            "org.naklab.faults.kind",
            "org.naklab.faults.seam",
            "org.naklab.lab.junit");

    @Test
    void shouldNameNoInternalType() throws Exception {
        PublicApi api = PublicApi.of(FaultKind.class, PUBLIC);

        assertThat(api.types()).contains(FaultKind.class, FaultSpec.class);
        assertThat(api.namingInternalTypes(PUBLIC)).isEmpty();
    }
}
