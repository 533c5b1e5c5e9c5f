package org.naklab.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The layout of modules and packages, by their sources: constants that the compiler inlines leave no trace in the classes. */
@Timeout(60)
final class LayoutTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final String MAIN = "src/main/java";

    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?([\\w.]+);");
    private static final Pattern NAME = Pattern.compile("<naklab\\.module>([\\w.]+)</naklab\\.module>");

    /** A row of the table of modules: name, contents, the modules that it uses. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([\\w/]+)` \\| [^|]* \\| ([\\w, —]+) \\|$");

    /** A line of the picture: modules that use only those of the lines below. */
    private static final Pattern FLOOR = Pattern.compile("(?m)^ {4}(\\w+(?: {2}\\w+)*)$");

    /** A step of a walk: its number, what it says before its class, and the class or file. */
    private static final Pattern STEP = Pattern.compile("(?m)^(\\d+)\\. ([^`\\n]*)`([\\w.]+)`");

    /** The packages of naklab-junit, which other projects name. */
    private static final Set<String> PUBLIC = Set.of("org.naklab.faults.junit", "org.naklab.lab.junit");

    /** The guard throws the exception of faults, and faults register their undo actions with the guard. */
    private static final Set<String> KNOWN_CYCLE = Set.of("org.naklab.faults", "org.naklab.faults.guard");

    private static final int MAX_FILES = 25;

    private record Source(String module, String packageName, String type, String text, List<String> imports) {
        String name() {
            return packageName + "." + type;
        }
    }

    private static final List<Source> SOURCES = sources();

    @Test
    void shouldUseTheModulesThatThePageNames() throws IOException {
        Map<String, Set<String>> documented = new TreeMap<>();
        Matcher row = ROW.matcher(section("Modules"));
        while (row.find()) {
            Set<String> used = new TreeSet<>(List.of(row.group(2).split(", ")));
            used.remove("—");
            documented.put(row.group(1), used);
        }
        documented.remove("lab/bom");
        assertThat(documented).isEqualTo(arrows());
    }

    @Test
    void shouldUseModulesOfLowerFloorsOnly() throws IOException {
        Map<String, Integer> floors = new HashMap<>();
        Matcher line = FLOOR.matcher(section("Modules"));
        for (int floor = 0; line.find(); floor--) {
            for (String module : line.group(1).split(" +", -1)) {
                floors.put(module, floor);
            }
        }
        arrows().forEach((module, used) -> {
            if (!module.equals("publisher/testing")) {
                assertThat(floors).containsKey(shortName(module));
                assertThat(used).as("what %s uses", module).allSatisfy(each -> assertThat(floors.get(each))
                        .isLessThan(floors.get(shortName(module))));
            }
        });
    }

    @Test
    void shouldWalkFromClassToClassAsThePageSays() throws IOException {
        Map<String, List<String>> texts = SOURCES.stream()
                .collect(Collectors.groupingBy(Source::type, Collectors.mapping(Source::text, Collectors.toList())));
        String last = "";
        int walks = 0;
        Matcher step = STEP.matcher(section("Three walks"));
        while (step.find()) {
            String name = step.group(3);
            if (name.contains(".")) {
                assertThat(isThere(name)).as(name).isTrue();
            } else {
                assertThat(texts).containsKey(name);
            }
            if (step.group(1).equals("1")) {
                walks++;
            } else if (!step.group(2).startsWith("In another process")) {
                assertThat(names(texts.getOrDefault(last, List.of()), name)
                                || names(texts.getOrDefault(name, List.of()), last))
                        .as("%s and %s know one another", last, name)
                        .isTrue();
            }
            last = name;
        }
        assertThat(walks).isEqualTo(3);
    }

    private static boolean names(List<String> texts, String type) {
        Pattern name = Pattern.compile("\\b" + type + "\\b");
        return texts.stream().anyMatch(text -> name.matcher(text).find());
    }

    private static boolean isThere(String file) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("lab/instruments/src/main/c"))) {
            return files.anyMatch(each -> each.endsWith(file));
        }
    }

    /** What a row of the table could not allow. */
    @Test
    void shouldKeepTheReplicaApartFromFaultsAndTheLab() {
        Set<String> replica = Set.of("files", "messaging", "journaler", "exchange", "subscriber");
        Map<String, Set<String>> arrows = arrows();
        arrows.forEach((module, used) -> {
            assertThat(used).as("what %s uses", module).doesNotContain("testing");
            if (replica.contains(shortName(module))) {
                assertThat(replica).as("what %s uses", module).containsAll(used);
            }
        });
        assertThat(arrows.get("faults")).containsExactly("files");
        assertThat(arrows.get("lab/diagnosis")).containsExactly("core");
    }

    /** The journal reads what was sent, and knows nothing of how it was sent. */
    @Test
    void shouldLetTheJournalerKnowTheCodecsOnly() {
        assertThat(SOURCES)
                .filteredOn(source -> source.module().equals("journaler"))
                .flatExtracting(Source::imports)
                .filteredOn(name -> name.startsWith("org.naklab.messaging."))
                .isNotEmpty()
                .allMatch(name -> name.startsWith("org.naklab.messaging.codec.")
                        || name.startsWith("org.naklab.messaging.feed."));
    }

    @Test
    void shouldUsePicocliInCommandsOnly() {
        Pattern command = Pattern.compile(
                "org\\.naklab\\.lab\\.(cli|terminal)\\..*|org\\.naklab\\.lab\\.(.*\\.)?command\\..*|.*Command");
        assertThat(SOURCES)
                .filteredOn(source -> source.imports().stream().anyMatch(name -> name.startsWith("picocli.")))
                .isNotEmpty()
                .extracting(Source::name)
                .allMatch(name -> command.matcher(name).matches());
    }

    /** Agrona's deletion follows symbolic links, and so may whoever plants one choose what is deleted. */
    @Test
    void shouldDeleteNothingWithAgrona() {
        assertThat(SOURCES)
                .filteredOn(source -> source.text().contains("IoUtil.delete("))
                .isEmpty();
    }

    /** What the client prints is read in one place. */
    @Test
    void shouldLetOnlyTheEngineAskDocker() {
        Pattern asks = Pattern.compile("\\bDocker\\.(run|attempt|feed)\\(");
        assertThat(SOURCES)
                .filteredOn(source -> asks.matcher(source.text()).find())
                .extracting(Source::type)
                .containsExactly("DockerEngine");
    }

    @Test
    void shouldHaveAtMost25FilesInEachPackage() {
        Map<String, Long> files = SOURCES.stream()
                .collect(Collectors.groupingBy(Source::packageName, TreeMap::new, Collectors.counting()));
        files.values().removeIf(count -> count <= MAX_FILES);
        assertThat(files).isEmpty();
    }

    @Test
    void shouldNamePackagesAfterTheirModules() throws IOException {
        for (Source source : SOURCES) {
            if (!PUBLIC.contains(source.packageName())) {
                Matcher name = NAME.matcher(
                        Files.readString(ROOT.resolve(source.module()).resolve("pom.xml")));
                assertThat(name.find()).as("the name of %s", source.module()).isTrue();
                assertThat(source.packageName() + ".").startsWith(name.group(1) + ".");
            }
        }
    }

    @Test
    void shouldHaveNoCyclesOfPackages() {
        Map<String, Set<String>> uses = new TreeMap<>();
        Map<String, Source> types = types();
        for (Source source : SOURCES) {
            for (String imported : source.imports()) {
                Source used = find(types, imported);
                if (used != null && !used.packageName().equals(source.packageName())) {
                    uses.computeIfAbsent(source.packageName(), name -> new TreeSet<>())
                            .add(used.packageName());
                }
            }
        }
        uses.getOrDefault("org.naklab.faults.guard", Set.of()).removeAll(KNOWN_CYCLE);
        assertThat(onCycles(uses)).isEmpty();
    }

    @Test
    void shouldSeeACycle() {
        assertThat(onCycles(Map.of("a", Set.of("b", "d"), "b", Set.of("c"), "c", Set.of("a"))))
                .containsExactlyInAnyOrder("a", "b", "c");
    }

    /** Returns what is left when all that uses nothing, or is used by nothing, has been taken away again and again. */
    private static Set<String> onCycles(Map<String, Set<String>> uses) {
        Set<String> left = new TreeSet<>(uses.keySet());
        int before;
        do {
            before = left.size();
            Set<String> used = left.stream()
                    .flatMap(each -> uses.getOrDefault(each, Set.of()).stream())
                    .collect(Collectors.toSet());
            left.retainAll(used);
            Set<String> remaining = Set.copyOf(left);
            left.removeIf(each -> uses.getOrDefault(each, Set.of()).stream().noneMatch(remaining::contains));
        } while (left.size() < before);
        return left;
    }

    /** Returns for each module the short names of those that its sources import. */
    private static Map<String, Set<String>> arrows() {
        Map<String, Set<String>> arrows = new TreeMap<>();
        Map<String, Source> types = types();
        for (Source source : SOURCES) {
            Set<String> used = arrows.computeIfAbsent(source.module(), module -> new TreeSet<>());
            for (String imported : source.imports()) {
                Source type = find(types, imported);
                if (type != null && !type.module().equals(source.module())) {
                    used.add(shortName(type.module()));
                }
            }
        }
        return arrows;
    }

    private static Map<String, Source> types() {
        return SOURCES.stream().collect(Collectors.toMap(Source::name, source -> source));
    }

    /** Returns the source of an imported name, which may be that of a member; null: it is generated. */
    private static @Nullable Source find(Map<String, Source> types, String imported) {
        String name = imported;
        while (!types.containsKey(name) && name.contains(".")) {
            name = name.substring(0, name.lastIndexOf('.'));
        }
        return types.get(name);
    }

    private static String shortName(String module) {
        return module.substring(module.lastIndexOf('/') + 1);
    }

    private static String section(String title) throws IOException {
        String page = Files.readString(ROOT.resolve("docs/architecture.md"));
        int begin = page.indexOf("\n## " + title + "\n");
        return page.substring(begin, page.indexOf("\n## ", begin + 1));
    }

    private static List<Source> sources() {
        List<Path> parents = List.of(ROOT, ROOT.resolve("publisher"), ROOT.resolve("lab"));
        return parents.stream()
                .flatMap(parent -> children(parent).stream())
                .filter(module -> Files.isDirectory(module.resolve(MAIN)) && Files.exists(module.resolve("pom.xml")))
                .flatMap(module -> ofModule(module).stream())
                .toList();
    }

    private static Collection<Source> ofModule(Path module) {
        Path main = module.resolve(MAIN);
        List<Source> sources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(main)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                String text = Files.readString(file);
                List<String> imports = IMPORT.matcher(text)
                        .results()
                        .map(found -> found.group(1))
                        .toList();
                String[] names = main.relativize(file).toString().split("/", -1);
                sources.add(new Source(
                        ROOT.relativize(module).toString(),
                        String.join(".", Arrays.copyOf(names, names.length - 1)),
                        names[names.length - 1].replace(".java", ""),
                        text,
                        imports));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sources;
    }

    private static List<Path> children(Path directory) {
        try (Stream<Path> children = Files.list(directory)) {
            return children.filter(Files::isDirectory).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
