package org.naklab.lab.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The parts that stay are of the published schema, and give no more rights than the engine uses. */
@Timeout(60)
final class KustomizeTest {
    private static final Path BASE = Path.of("src", "main", "kustomize");

    private static List<HasMetadata> resources() throws IOException {
        List<HasMetadata> resources = new ArrayList<>();
        for (String file : List.of("postgres.yaml", "volume.yaml", "rights.yaml")) {
            for (String document : Files.readString(BASE.resolve(file)).split("(?m)^---$", -1)) {
                resources.add(Serialization.unmarshal(document, HasMetadata.class));
            }
        }
        return resources;
    }

    @Test
    void shouldBeOfThePublishedSchema() throws IOException {
        assertThat(resources()).hasSize(6).allSatisfy(resource -> assertThat(Strictness.unknownKeys(resource))
                .as(resource.getKind())
                .isEmpty());
    }

    @Test
    void shouldNameEachFileInTheKustomization() throws IOException {
        assertThat(Files.readString(BASE.resolve("kustomization.yaml")))
                .contains("  - postgres.yaml", "  - volume.yaml", "  - rights.yaml");
    }

    @Test
    void shouldGiveNoMoreRightsThanTheEngineUses() throws IOException {
        List<PolicyRule> rules = resources().stream()
                .filter(Role.class::isInstance)
                .map(Role.class::cast)
                .flatMap(role -> role.getRules().stream())
                .toList();
        assertThat(rules)
                .extracting(PolicyRule::getResources, PolicyRule::getVerbs)
                .containsExactly(
                        tuple(List.of("jobs"), List.of("create", "get", "delete")),
                        tuple(List.of("pods"), List.of("list", "watch", "create", "delete")),
                        tuple(List.of("pods/exec"), List.of("create", "get")));
    }
}
