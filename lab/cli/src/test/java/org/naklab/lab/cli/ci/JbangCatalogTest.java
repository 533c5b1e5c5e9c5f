package org.naklab.lab.cli.ci;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;

/** JBang itself cannot be had here: what its catalogue and script name must be what the launcher uses. */
final class JbangCatalogTest {
    private static final Path ROOT = Path.of(System.getProperty("naklab.root"));
    /** The lab checks bounds in its own JVM, as the launcher has it, and compiles itself once. */
    private static final List<String> OF_THE_LAUNCHER = List.of("-XX:TieredStopAtLevel=1");

    private static final List<String> NOT_OF_THE_LAUNCHER = List.of("-Dagrona.disable.bounds.checks=true");

    private static Path script() throws IOException {
        String catalogue = Files.readString(ROOT.resolve("jbang-catalog.json"));
        return ROOT.resolve(
                Json.parse(catalogue).at("/aliases/naklab/script-ref").asText());
    }

    private static List<String> directives(String name) throws IOException {
        return Files.readAllLines(script()).stream()
                .filter(line -> line.startsWith("//" + name + " "))
                .flatMap(line -> Stream.of(line.substring(name.length() + 3).split(" ")))
                .toList();
    }

    @Test
    void shouldStartTheJvmWithTheFlagsOfTheLauncher() throws IOException {
        List<String> flags = Stream.concat(
                        Files.readAllLines(ROOT.resolve("lab/src/main/dist/jvm.options")).stream()
                                .filter(line -> line.startsWith("-"))
                                .map(line -> line.replace(' ', '=')),
                        OF_THE_LAUNCHER.stream())
                .filter(flag -> !NOT_OF_THE_LAUNCHER.contains(flag))
                .toList();
        assertThat(directives("JAVA_OPTIONS")).containsExactlyInAnyOrderElementsOf(flags);
    }

    @Test
    void shouldNameTheArtefactOfThisVersionAndAFileThatIsThere() throws IOException {
        String pom = Files.readString(ROOT.resolve("lab/cli/pom.xml"));
        String version = pom.replaceFirst("(?s).*?<version>([^<]*)</version>.*", "$1");
        assertThat(directives("DEPS")).containsExactly("org.naklab:naklab-lab-cli:" + version);
        String file = directives("FILES").get(0);
        assertThat(file).startsWith("jvm.options=");
        assertThat(script().resolveSibling(file.substring("jvm.options=".length())))
                .exists();
    }

    /** Does what JBang does: it compiles the script against its artefact, puts its file beside it, and starts it with its flags. */
    @Test
    @Timeout(120)
    void shouldCompileTheScriptAndRunACommand(@TempDir Path classes) throws Exception {
        String classPath = System.getProperty("java.class.path");
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(null, told, told, "-d", classes.toString(), "-cp", classPath, script().toString());
        assertThat(compiled).as(told.toString(StandardCharsets.UTF_8)).isZero();
        Files.copy(
                script().resolveSibling(directives("FILES").get(0).substring("jvm.options=".length())),
                classes.resolve("jvm.options"));
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin/java").toString()));
        command.addAll(directives("JAVA_OPTIONS"));
        command.addAll(List.of("-cp", classes + File.pathSeparator + classPath, "naklab", "list"));
        Path out = classes.resolve("out.txt");

        Process naklab = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();

        assertThat(naklab.waitFor()).as(Files.readString(out)).isZero();
        assertThat(Files.readString(out)).contains("mystery", "baseline");
    }
}
