package org.naklab.lab.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Reason;
import org.naklab.lab.core.UsageException;
import picocli.CommandLine;
import picocli.CommandLine.PropertiesDefaultProvider;

/**
 * The user's defaults of options: a file of lines {@code OPTION=VALUE}, or {@code COMMAND.OPTION=VALUE} for one command alone. It is the file
 * that {@code NAKLAB_CONFIG} names, or else the first that there is of {@code naklab/naklab.properties} in {@code XDG_CONFIG_HOME} (or
 * {@code .config} of the home directory) and {@code /etc/naklab/naklab.properties}.
 */
final class ConfigurationFile {
    private static final Path OF_MACHINE = Path.of("/etc/naklab/naklab.properties");

    private ConfigurationFile() {}

    /** Returns the file that is read; null: there is none. */
    static @Nullable Path find(Map<String, String> environment, Path home) {
        String named = environment.get("NAKLAB_CONFIG");
        if (named != null) {
            return Path.of(named);
        }
        String configuration = environment.getOrDefault("XDG_CONFIG_HOME", "");
        Path directory = configuration.isEmpty() ? home.resolve(".config") : Path.of(configuration);
        return Stream.of(directory.resolve("naklab/naklab.properties"), OF_MACHINE)
                .filter(Files::exists)
                .findFirst()
                .orElse(null);
    }

    /**
     * Gives the defaults of a file to a command line and all its commands.
     *
     * @throws UsageException if the file cannot be read, or names an option that no command has
     */
    static void apply(Path file, CommandLine root) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageException("the configuration file " + file + " cannot be read: " + Reason.of(e));
        }
        Set<String> known = new TreeSet<>();
        addKeys(root, "", known);
        for (String key : properties.stringPropertyNames()) {
            if (!known.contains(key)) {
                throw new UsageException(file + ": no option is named '" + key
                        + "'; lines are OPTION=VALUE or COMMAND.OPTION=VALUE, without dashes, such as runs=/data/runs");
            }
        }
        Properties qualified = new Properties();
        properties.forEach((key, value) -> {
            qualified.put(key, value);
            qualified.put(root.getCommandName() + '.' + key, value);
        });
        root.setDefaultValueProvider(new PropertiesDefaultProvider(qualified));
    }

    private static void addKeys(CommandLine command, String prefix, Set<String> keys) {
        command.getCommandSpec().options().forEach(option -> Stream.of(option.names())
                .filter(name -> name.startsWith("--"))
                .map(name -> name.substring(2))
                .forEach(name -> {
                    keys.add(name);
                    keys.add(prefix + name);
                }));
        command.getSubcommands().forEach((name, subcommand) -> addKeys(subcommand, prefix + name + '.', keys));
    }
}
