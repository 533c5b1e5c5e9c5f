package org.naklab.lab.cli.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.cli.doctor.CheckResult;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.core.trace.TraceFile;

/** Plants names and secrets in a run's directory, and looks for each of their bytes in the unpacked bundle. */
@Timeout(60)
final class BundleTest {
    private static final String HOST = "trading-db7";
    private static final String QUALIFIED = "feed3.prod.example.com";
    private static final String USER = "zebulon";
    private static final String OTHER_USER = "quillan";
    private static final String PASSWORD = "hunter2!xyz";
    private static final String QUOTED_PASSWORD = "a\"b\\c secret";
    private static final String VARIABLE = "tok-9f8e7d6c";
    private static final String SHORT = "q7";
    private static final String ADDRESS = "203.0.113.57";
    private static final String ADDRESS6 = "2001:db8:85a3::8a2e:370:7334";
    private static final String HARDWARE = "3c:ec:ef:12:ab:9d";
    private static final String MAIL = "jo.doe@bank.example";
    private static final String BOOT_ADDRESS = "198.51.100.23";
    private static final String BOOT_PASSWORD = "b00t-pass";
    private static final String BOOT_KEY = "vault-key-77";
    private static final List<String> PLANTED = List.of(
            BOOT_ADDRESS,
            BOOT_PASSWORD,
            BOOT_KEY,
            HOST,
            QUALIFIED,
            "feed3",
            USER,
            OTHER_USER,
            PASSWORD,
            "a\\\"b\\\\c",
            "hunter2%21xyz",
            VARIABLE,
            "pw=" + SHORT,
            ADDRESS,
            ADDRESS6,
            HARDWARE,
            MAIL);

    @TempDir
    private Path directory;

    private Path run;
    private Path file;

    @BeforeEach
    void plant() throws IOException {
        run = Files.createDirectories(directory.resolve("run"));
        file = directory.resolve("bundle.zip");
        write(
                "run.json",
                "{\"environment\":{\"host\":\"" + HOST + "\",\"settings\":{\"commandLine\":\"isolcpus=2-3 ip="
                        + BOOT_ADDRESS
                        + ":::255.255.255.0:" + HOST + ":eth0 admin.password=" + BOOT_PASSWORD + " rd.luks.key=/"
                        + BOOT_KEY
                        + " nfsroot=" + ADDRESS + ":/srv\"}},\"arguments\":[\"run\",\"--password\",\"" + PASSWORD
                        + "\",\"--history\",\"jdbc:postgresql://" + QUALIFIED + "/db?user=" + OTHER_USER + "&password="
                        + PASSWORD
                        + "\"],\"multicast\":\"239.192.16.1:60048\",\"own\":\"192.168.7.1\",\"lo\":\"127.0.0.1\"}");
        write("diagnosis.json", "{\"adminToken\":" + Json.line(QUOTED_PASSWORD) + ",\"text\":\"on TRADING-DB7\"}");
        write(
                "timeline.jsonl",
                "{\"timeNs\":1,\"process\":\"" + USER + "\",\"where\":\"/home/" + USER + "/naklab/x.jar\"}\n"
                        + "{\"timeNs\":2,\"text\":\"from " + ADDRESS + " by " + HARDWARE + " [" + ADDRESS6 + "]:7\"}");
        write(
                "mds.log",
                "14:23:56.636 " + USER + "@" + HOST + " std::move java.net.DatagramSocket\n/Users/" + OTHER_USER
                        + "/a: https://x.example/?pwd=hunter2%21xyz\nmail " + MAIL + " DB_PASSWORD=" + PASSWORD
                        + "\nAuthorization: Bearer " + VARIABLE + " feed3 dbpwd=" + SHORT + "\n");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(run.resolve("samples.csv.gz")))) {
            out.write(("time_ns,series,value\n1,socket.4711." + ADDRESS + ":47997#513115.depthBytes,832\n" + "2,thread."
                            + USER + "_worker.x," + PASSWORD + "\n")
                    .getBytes(StandardCharsets.UTF_8));
        }
        write(USER + "-notes.txt", "nothing");
        write("journal/20261123.cq4", HOST);
        write("window.jfr", HOST);
        write("heap.hprof", USER);
        write("lo.pcap", ADDRESS);
        write("capture.pcapng", ADDRESS);
        write("window-perf.data", USER);
        write("report.html", HOST);
        write("gateway-1-loss-report.dat", HOST);
        Files.createSymbolicLink(run.resolve("link.json"), run.resolve("run.json"));
    }

    @Test
    void shouldHoldNoByteOfWhatWasPlanted() throws IOException {
        Bundle.Result result = bundle(Set.of()).write(file);

        Map<String, String> unpacked = unpack();
        assertThat(unpacked).hasSizeGreaterThan(6);
        unpacked.forEach((name, text) -> assertThat(PLANTED).as(name).noneMatch(planted -> (name + text)
                .toLowerCase(Locale.ROOT)
                .contains(planted.toLowerCase(Locale.ROOT))));
        assertThat(result.redacted()).containsKeys("secret", "host", "user", "home", "address", "mail");
    }

    /** A name that only the last file marks as one is replaced in the first too, and alike. */
    @Test
    void shouldGiveTheSameOriginalTheSamePlaceholder() throws IOException {
        bundle(Set.of()).write(file);

        Map<String, String> unpacked = unpack();
        JsonNode record = Json.parse(text(unpacked, "run.json"));
        String host = record.at("/environment/host").asText();
        String password = record.at("/arguments/2").asText();
        String user = Json.parse(
                        text(unpacked, "timeline.jsonl").lines().toList().get(0))
                .path("process")
                .asText();
        assertThat(host).matches("redacted-host-\\d+");
        assertThat(password).matches("redacted-secret-\\d+");
        assertThat(user).matches("redacted-user-\\d+");
        assertThat(record.at("/environment/settings/commandLine").asText())
                .startsWith("isolcpus=2-3 ip=redacted-address-")
                .contains(":" + host + ":eth0 admin.password=redacted-secret-");
        assertThat(record.at("/arguments/4").asText()).endsWith("&password=" + password);
        assertThat(unpacked.get("diagnosis.json")).contains("on " + host);
        assertThat(unpacked.get("mds.log")).contains(user + "@" + host).contains("DB_PASSWORD=" + password);
        assertThat(unpacked.get("samples.csv.gz")).contains("thread." + user + "_worker.x," + password);
    }

    @Test
    void shouldTakeTheTraceOfTheKernelAlong() throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(run.resolve(TraceFile.NAME)))) {
            out.write(("  mds-context-71 [000] d.h. 5.000001: sched_switch: on " + HOST + "\n")
                    .getBytes(StandardCharsets.UTF_8));
        }
        bundle(Set.of()).write(file);

        assertThat(unpack().get(TraceFile.NAME))
                .contains("mds-context-71", "sched_switch")
                .doesNotContain(HOST);
    }

    @Test
    void shouldKeepWhatIdentifiesNobody() throws IOException {
        bundle(Set.of()).write(file);

        Map<String, String> unpacked = unpack();
        assertThat(unpacked.get("run.json"))
                .contains("239.192.16.1:60048")
                .contains("192.168.7.1")
                .contains("127.0.0.1");
        assertThat(unpacked.get("mds.log")).contains("14:23:56.636").contains("std::move java.net.DatagramSocket");
        assertThat(unpacked.get("samples.csv.gz"))
                .containsPattern("socket\\.4711\\.redacted-address-\\d+:47997#513115\\.depthBytes,832");
        assertThat(unpacked.get(Bundle.DOCTOR)).contains("multicast");
        for (String name : List.of("run.json", "diagnosis.json", BundleManifest.NAME, Bundle.DOCTOR)) {
            assertThat(Json.parse(text(unpacked, name))).as(name).isNotEmpty();
        }
    }

    @Test
    void shouldListWhatItLeftOut() throws IOException {
        Bundle.Result result = bundle(Set.of()).write(file);

        JsonNode manifest = Json.parse(text(unpack(), BundleManifest.NAME));
        assertThat(manifest.path("leftOut").findValuesAsText("file"))
                .containsExactly(
                        "capture.pcapng",
                        "gateway-1-loss-report.dat",
                        "heap.hprof",
                        "journal/20261123.cq4",
                        "link.json",
                        "lo.pcap",
                        "report.html",
                        "window-perf.data",
                        "window.jfr");
        assertThat(result.leftOut())
                .contains("window.jfr: cannot be redacted; --include jfr adds it", "link.json: not a regular file");
        assertThat(manifest.path("notRedacted")).isEmpty();
    }

    @Test
    void shouldAddWhatIsAskedForAndSayThatItIsNotRedacted() throws IOException {
        Bundle.Result result = bundle(Set.of(Contents.JFR, Contents.HEAP_DUMPS)).write(file);

        Map<String, String> unpacked = unpack();
        assertThat(unpacked).containsEntry("window.jfr", HOST).containsEntry("heap.hprof", USER);
        assertThat(unpacked).doesNotContainKeys("lo.pcap", "capture.pcapng", "journal/20261123.cq4");
        assertThat(result.notRedacted()).containsExactly("heap.hprof", "window.jfr");
    }

    @Test
    void shouldNotOverwrite() throws IOException {
        Files.writeString(file, "mine");
        assertThatThrownBy(() -> bundle(Set.of()).write(file))
                .isInstanceOf(UsageException.class)
                .hasMessage(file + " exists already and is not overwritten: name another file with -o");
        assertThat(file).hasContent("mine");
    }

    @Test
    void shouldBeReadableByItsOwnerOnly() throws IOException {
        bundle(Set.of()).write(file);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    /** As of a run that was killed. */
    @Test
    void shouldKeepWhatCanBeReadOfADamagedFile() throws IOException {
        byte[] whole = Files.readAllBytes(run.resolve("samples.csv.gz"));
        Files.write(run.resolve("samples.csv.gz"), Arrays.copyOf(whole, whole.length - 12));
        bundle(Set.of()).write(file);

        assertThat(unpack().get(BundleManifest.NAME)).contains("the compressed file is damaged");
    }

    /** A machine that is called {@code vm} must not take the key and the threads of that name out of the documents. */
    @Test
    void shouldKeepNamesThatAreOrdinaryWords() throws IOException {
        write("run.json", "{\"environment\":{\"host\":\"vm\",\"vm\":\"OpenJDK\"},\"detail\":\"woken by VM Thread\"}");
        bundle(Set.of()).write(file);

        JsonNode record = Json.parse(text(unpack(), "run.json"));
        assertThat(record.at("/environment/vm").asText()).isEqualTo("OpenJDK");
        assertThat(record.path("detail").asText()).isEqualTo("woken by VM Thread");
        assertThat(record.toString()).doesNotContain("redacted");
    }

    @Test
    void shouldCountOnlyWhatItReplaced() {
        Redactor redactor = new Redactor();
        redactor.learnEnvironment(Map.of("API_TOKEN", VARIABLE, "USER", USER));
        assertThat(redactor.redact(USER + " and " + USER)).isEqualTo("redacted-user-1 and redacted-user-1");
        assertThat(redactor.counts()).containsExactly(Map.entry("user", 1));
    }

    /** As of an unpacked bundle that is bundled again. */
    @Test
    void shouldNotMixUpItsOwnDocumentsWithThoseOfTheDirectory() throws IOException {
        write("doctor.json", "{\"of\":\"another machine\"}");
        Bundle.Result result = bundle(Set.of()).write(file);

        assertThat(unpack().get(Bundle.DOCTOR)).contains("multicast").doesNotContain("another machine");
        assertThat(result.leftOut()).contains("doctor.json: the bundle has a document of this name");
    }

    /** As of a small file that decompresses into one without end; the work ends with the bound, whatever is in it. */
    @Test
    void shouldBoundTextsAndLines() throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(run.resolve("samples.csv.gz")))) {
            for (int i = 0; i < 100; i++) {
                out.write("password=".repeat(20_000).getBytes(StandardCharsets.UTF_8));
            }
        }
        write("long.log", "a".repeat(10_000_000) + "\nend of it\n");
        write("long.json", "{\"a\":\"" + "b".repeat(3_000_000) + "\"}");
        Bundle.Result result = bundle(Set.of(), 12_000_000).write(file);

        Map<String, String> unpacked = unpack();
        assertThat(text(unpacked, "samples.csv.gz")).hasSizeLessThan(2 * BundleSource.MAX_LINE);
        assertThat(text(unpacked, "long.log"))
                .hasSizeLessThan(2 * BundleSource.MAX_LINE)
                .endsWith("end of it\n");
        assertThat(Json.parse(text(unpacked, "long.json")).path("a").asText()).endsWith("characters were cut)");
        assertThat(result.toCheck())
                .contains(
                        "long.log: 1 lines of more than 65536 characters were cut",
                        "samples.csv.gz: 1 lines of more than 65536 characters were cut; only the first 12000000 bytes of the text are here");
    }

    /** The clock goes on by a second with each reading: a compressed text is read so often, and no other text is cut. */
    @Test
    void shouldReadACompressedTextForABoundedTime() throws IOException {
        String text = "one line of a log\n".repeat(200_000);
        for (String name : List.of("samples.csv.gz", "timeline.jsonl.gz")) {
            try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(run.resolve(name)))) {
                out.write(text.getBytes(StandardCharsets.UTF_8));
            }
        }
        write("long.log", text);
        AtomicLong nowNs = new AtomicLong();
        clock = () -> nowNs.addAndGet(1_000_000_000);
        Bundle.Result result = bundle(Set.of()).write(file);

        Map<String, String> unpacked = unpack();
        assertThat(text(unpacked, "long.log")).hasSize(text.length());
        for (String name : List.of("samples.csv.gz", "timeline.jsonl.gz")) {
            assertThat(text(unpacked, name)).isNotEmpty().hasSizeLessThan(text.length() / 2);
            assertThat(result.toCheck())
                    .anyMatch(line -> line.matches(Pattern.quote(name)
                            + ": only the first \\d+ bytes of the text are here, as it takes long to decompress"));
        }
        assertThat(result.toCheck()).noneMatch(line -> line.startsWith("long.log"));
    }

    /** A half line of a writer that was killed makes a document an ordinary text, in which each whole line is one. */
    @Test
    void shouldRedactDamagedDocuments() throws IOException {
        write("timeline.jsonl", "{\"apiKey\":\"" + SHORT + "\"}\n{\"password\":\"" + SHORT);
        bundle(Set.of()).write(file);

        List<String> lines = text(unpack(), "timeline.jsonl").lines().toList();
        assertThat(Json.parse(lines.get(0)).path("apiKey").asText()).startsWith("redacted-secret-");
        assertThat(lines.get(1)).startsWith("{\"password\":\"redacted-secret-");
    }

    /** Whatever ends the process before the bundle is whole, there is nothing to end up with: no name leads to it. */
    @Test
    void shouldHaveNoNameUntilItIsWhole() throws IOException {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        try (BundleFile whole = new BundleFile(empty.resolve("a.zip"))) {
            whole.out().write(PASSWORD.getBytes(StandardCharsets.UTF_8));
            assertThat(empty).isEmptyDirectory();
            whole.publish();
        }
        assertThat(empty.resolve("a.zip")).hasContent(PASSWORD);
        assertThat(empty.toFile().list()).containsExactly("a.zip");
    }

    @Test
    void shouldListWhatWasReplacedWithoutTheOriginals() throws IOException {
        bundle(Set.of()).write(file);

        JsonNode replacements = Json.parse(text(unpack(), BundleManifest.NAME)).path("replacements");
        assertThat(replacements.findValuesAsText("recognisedBy")).contains("name", "known", "form");
        assertThat(replacements.findValuesAsText("firstFile")).contains("run.json");
    }

    private static String text(Map<String, String> unpacked, String name) {
        return Objects.requireNonNull(unpacked.get(name), name);
    }

    private LongSupplier clock = System::nanoTime;

    private Bundle bundle(Set<Contents> included) {
        return bundle(included, Long.MAX_VALUE);
    }

    private Bundle bundle(Set<Contents> included, long maxBytes) {
        List<CheckResult> findings = List.of(new CheckResult("multicast", true, true, "works on " + HOST, ""));
        Bundle bundle = new Bundle(run, included, findings, List.of("naklab test"), maxBytes, clock);
        bundle.learn(Map.of("API_TOKEN", VARIABLE, "USER", USER), HOST, USER, "/home/" + USER);
        return bundle;
    }

    private void write(String name, String text) throws IOException {
        Path path = run.resolve(name);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    /** Returns the texts by their names; compressed ones decompressed. */
    private Map<String, String> unpack() throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        try (ZipFile zip = new ZipFile(file.toFile())) {
            for (var entry : zip.stream().toList()) {
                byte[] bytes = zip.getInputStream(entry).readAllBytes();
                if (entry.getName().endsWith(".gz")) {
                    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
                        bytes = in.readAllBytes();
                    }
                }
                texts.put(entry.getName(), new String(bytes, StandardCharsets.UTF_8));
            }
        }
        return texts;
    }
}
