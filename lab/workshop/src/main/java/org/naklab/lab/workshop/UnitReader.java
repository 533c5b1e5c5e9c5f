package org.naklab.lab.workshop;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Json;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads the units of a directory. */
public final class UnitReader {
    private static final String HEADING = "## ";

    private UnitReader() {}

    /**
     * Reads all units, by name.
     *
     * @throws InputException there are none, or one cannot be read
     */
    public static List<Unit> read(Path directory) {
        if (!Files.isDirectory(directory)) {
            throw new InputException("there is no directory of units " + directory);
        }
        try (Stream<Path> folders = Files.list(directory)) {
            List<Unit> units = folders.filter(folder -> Files.isRegularFile(folder.resolve(Unit.SETTINGS)))
                    .sorted()
                    .map(UnitReader::unit)
                    .toList();
            if (units.isEmpty()) {
                throw new InputException("no folder in " + directory + " has a " + Unit.SETTINGS);
            }
            return units;
        } catch (IOException e) {
            throw new InputException("the units in " + directory + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static Unit unit(Path folder) {
        try {
            return new Unit(
                    String.valueOf(folder.getFileName()),
                    settings(Files.readString(folder.resolve(Unit.SETTINGS))),
                    sections(Files.readString(folder.resolve(Unit.TEXTS))));
        } catch (IOException
                | UncheckedIOException
                | YAMLException
                | IllegalArgumentException
                | NullPointerException e) {
            throw new InputException(
                    "the unit " + folder + " cannot be read: "
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
                    e);
        }
    }

    private static Unit.Settings settings(String yaml) {
        Object document = new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
        return Json.value(Json.tree(document, JsonNode.class), Unit.Settings.class);
    }

    private static Map<String, String> sections(String markdown) {
        Map<String, String> sections = new LinkedHashMap<>();
        String heading = "";
        StringBuilder body = new StringBuilder();
        for (String line : markdown.split("\n", -1)) {
            if (line.startsWith(HEADING)) {
                sections.put(heading, body.toString().strip());
                heading = line.substring(HEADING.length()).strip();
                body.setLength(0);
            } else {
                body.append(line).append('\n');
            }
        }
        sections.put(heading, body.toString().strip());
        sections.remove("");
        return sections;
    }
}
