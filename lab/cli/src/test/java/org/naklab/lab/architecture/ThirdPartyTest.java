package org.naklab.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.report.Report;

/** {@code NOTICE} names what is delivered with the lab and was made by others. */
@Timeout(60)
final class ThirdPartyTest {
    private static final Path ROOT = Path.of(System.getProperty("naklab.root"));
    private static final Path BILL = ROOT.resolve("target/bom.json");
    private static final Pattern LIBRARY = Pattern.compile("^    (\\S+:\\S+:\\S+) {2}(.+)$");
    private static final Path RECORDER = ROOT.resolve("lab/instruments/src/main/c/kernel/build.sh");
    private static final Path RECORDER_BILL =
            ROOT.resolve("lab/instruments/target/native-kernel/naklab-kernel.cdx.json");
    private static final Pattern LINKED = Pattern.compile("^    (-l\\S+) {2}(\\S+ \\S+ {2}.+)$");
    private static final Pattern OPTION = Pattern.compile("(?<= )-l[a-z0-9+]+");
    private static final Pattern CHECKSUM = Pattern.compile("^    (\\S+) {2}([0-9a-f]{64})$");

    @Test
    void shouldNameEveryLibraryWithItsLicence() throws IOException {
        assumeTrue(
                Files.exists(BILL) || "true".equals(System.getenv("NAKLAB_CI")),
                "no bill of materials (mvn verify makes it): " + BILL);

        List<String> delivered = new ArrayList<>();
        for (JsonNode component : new ObjectMapper().readTree(BILL.toFile()).path("components")) {
            if (!component.path("group").asText().equals("org.naklab")) {
                delivered.add(lineOf(component));
            }
        }

        assertThat(delivered).hasSizeGreaterThan(40);
        assertThat(notice().stream()
                        .filter(line -> LIBRARY.matcher(line).matches())
                        .toList())
                .as("the lines of NOTICE that name a library, its version and its licences")
                .containsExactlyElementsOf(
                        delivered.stream().distinct().sorted().toList());
    }

    @Test
    void shouldNameEveryLibraryThatTheRecorderIsLinkedWith() throws IOException {
        List<String> options = OPTION.matcher(Files.readString(RECORDER))
                .results()
                .map(MatchResult::group)
                .distinct()
                .toList();

        assertThat(options).contains("-ldw", "-lstdc++");
        assertThat(linked())
                .extracting(line -> line.strip().split(" ", 2)[0])
                .containsExactlyInAnyOrderElementsOf(options);
    }

    /** NOTICE has the versions of Debian 12, on which releases are built. */
    @Test
    void shouldNameTheVersionsThatTheRecorderIsLinkedWith() throws IOException {
        assumeTrue(
                Files.readString(Path.of("/etc/os-release")).contains("VERSION_CODENAME=bookworm"),
                "this is not Debian 12");
        assumeTrue(
                Files.exists(RECORDER_BILL) || "true".equals(System.getenv("NAKLAB_CI")),
                "the recorder's program was not built: " + RECORDER_BILL);

        List<String> components = new ArrayList<>();
        for (JsonNode component :
                new ObjectMapper().readTree(RECORDER_BILL.toFile()).path("components")) {
            components.add(
                    "    " + component.path("properties").path(0).path("value").asText()
                            + "  " + component.path("name").asText()
                            + ' ' + component.path("version").asText()
                            + "  " + licences(component));
        }

        assertThat(linked()).containsExactlyElementsOf(components);
    }

    @Test
    void shouldCarryTheFilesOfOthersUnmodified() throws Exception {
        int files = 0;
        for (String line : notice()) {
            Matcher checksum = CHECKSUM.matcher(line);
            if (checksum.matches()) {
                files++;
                assertThat(sha256("report/echarts/" + checksum.group(1))).isEqualTo(checksum.group(2));
            }
        }
        assertThat(files).isEqualTo(4);
    }

    private static String lineOf(JsonNode component) {
        String name = component.path("group").asText()
                + ':'
                + component.path("name").asText()
                + ':'
                + component.path("version").asText();
        return "    " + name + "  " + licences(component);
    }

    private static String licences(JsonNode component) {
        List<String> licences = new ArrayList<>();
        for (JsonNode entry : component.path("licenses")) {
            JsonNode licence = entry.path("license");
            licences.add(
                    entry.has("expression")
                            ? entry.path("expression").asText()
                            : licence.path("id").asText(licence.path("name").asText()));
        }
        assertThat(licences)
                .as("licences of " + component.path("name"))
                .isNotEmpty()
                .doesNotContain("");
        return String.join(" or ", licences);
    }

    private static List<String> linked() throws IOException {
        return notice().stream().filter(line -> LINKED.matcher(line).matches()).toList();
    }

    private static List<String> notice() throws IOException {
        return Files.readAllLines(ROOT.resolve("NOTICE"));
    }

    private static String sha256(String resource) throws Exception {
        try (InputStream in = Report.class.getResourceAsStream("/org/naklab/lab/" + resource)) {
            assertThat(in).as(resource).isNotNull();
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(in.readAllBytes()));
        }
    }
}
