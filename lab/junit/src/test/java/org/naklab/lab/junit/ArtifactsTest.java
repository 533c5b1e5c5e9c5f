package org.naklab.lab.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks what other projects see of the artefacts: versions in the bill of materials, and names of modules. */
@Timeout(60)
class ArtifactsTest {
    private static final Path ROOT = Path.of(System.getProperty("naklab.root"));

    private static final Pattern MANAGED =
            Pattern.compile("<artifactId>([a-z-]+)</artifactId>\\s*<version>([^<]+)</version>\\s*</dependency>");

    private static String pom(String directory) {
        try {
            return Files.readString(ROOT.resolve(directory).resolve("pom.xml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> managed(String pom) {
        return MANAGED.matcher(pom)
                .results()
                .collect(Collectors.toMap(match -> match.group(1), match -> match.group(2), (first, second) -> first));
    }

    private static String valueOf(String pom, String element) {
        return Pattern.compile("<" + Pattern.quote(element) + ">([^<]+)<")
                .matcher(pom)
                .results()
                .map((MatchResult match) -> match.group(1))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> modules(String directory) {
        return Pattern.compile("<module>([^<]+)</module>")
                .matcher(pom(directory))
                .results()
                .map(match -> directory.isEmpty() ? match.group(1) : directory + '/' + match.group(1))
                .flatMap(module -> Stream.concat(Stream.of(module), modules(module).stream()))
                .toList();
    }

    @Test
    void shouldHaveTheBuildsVersionsInTheBillOfMaterials() {
        String root = pom("");
        Map<String, String> built = managed(root);
        Map<String, String> bill = managed(pom("lab/bom"));

        assertThat(valueOf(pom("lab/bom"), "version")).isEqualTo(valueOf(root, "version"));
        assertThat(bill).containsKeys("naklab-junit", "naklab-testcontainers", "jna", "jna-platform", "agrona");
        bill.forEach((artifact, version) -> {
            if (!artifact.startsWith("naklab-")) {
                String property = built.getOrDefault(artifact, "").replaceAll("^\\$\\{|}$", "");
                assertThat(version).as(artifact).isEqualTo(valueOf(root, property));
            }
        });
    }

    /** Transitive dependencies too: two versions of them would not work together. */
    @Test
    void shouldHaveWhatTheArtifactsDependOnInTheBillOfMaterials() {
        Map<String, String> directories = modules("").stream()
                .collect(Collectors.toMap(
                        module -> valueOf(pom(module).replaceAll("(?s)<parent>.*</parent>", ""), "artifactId"),
                        module -> module));
        Map<String, String> bill = managed(pom("lab/bom"));

        Pattern dependency = Pattern.compile("<artifactId>(naklab-[a-z-]+)</artifactId>\\s*</dependency>");
        directories.forEach((artifact, directory) -> {
            if (bill.containsKey(artifact)) {
                List<String> missing = dependency
                        .matcher(pom(directory))
                        .results()
                        .map(match -> match.group(1))
                        .filter(needed -> !bill.containsKey(needed))
                        .toList();
                assertThat(missing).as("dependencies of " + artifact).isEmpty();
            }
        });
    }

    @Test
    void shouldNameEachModule() {
        List<String> names = modules("").stream()
                .map(ArtifactsTest::pom)
                .filter(pom -> !pom.contains("<packaging>pom</packaging>"))
                .map(pom -> valueOf(pom, "naklab.module"))
                .toList();

        assertThat(names).doesNotHaveDuplicates().contains("org.naklab.junit", "org.naklab.testcontainers");
    }
}
