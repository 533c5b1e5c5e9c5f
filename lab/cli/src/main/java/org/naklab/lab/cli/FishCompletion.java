package org.naklab.lab.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Writes the completion script for fish, which picocli does not. Source: the manual page {@code complete(1)} of fish.
 */
final class FishCompletion {
    private static final String PROGRAM = "naklab";

    private final StringBuilder script = new StringBuilder();

    private FishCompletion() {}

    /** Returns the script for all subcommands and options below a command. */
    static String of(CommandLine root) {
        FishCompletion completion = new FishCompletion();
        completion.add(root, new ArrayList<>());
        return completion.script.toString();
    }

    private void add(CommandLine command, List<String> path) {
        CommandSpec spec = command.getCommandSpec();
        command.getSubcommands().forEach((name, subcommand) -> {
            if (!subcommand.getCommandSpec().usageMessage().hidden()) {
                line(path, subcommand, " -f -a " + quoted(name), descriptionOf(subcommand));
            }
        });
        for (OptionSpec option : spec.options()) {
            if (!option.hidden()) {
                line(path, command, words(option), String.join(" ", option.description()));
            }
        }
        command.getSubcommands().forEach((name, subcommand) -> {
            List<String> below = new ArrayList<>(path);
            below.add(name);
            add(subcommand, below);
        });
    }

    private void line(List<String> path, CommandLine of, String words, String description) {
        script.append("complete -c ").append(PROGRAM).append(condition(path)).append(words);
        String text = CommandLine.Help.Ansi.OFF.string(description.replace("${DEFAULT-VALUE}", "see --help"));
        if (!text.isBlank() && of.getCommandSpec() != null) {
            script.append(" -d ").append(quoted(text.replaceAll("\\s+", " ")));
        }
        script.append('\n');
    }

    private static String descriptionOf(CommandLine command) {
        return String.join(" ", command.getCommandSpec().usageMessage().description());
    }

    /** Completes below a subcommand only when its name has been typed, and the first word only when none has. */
    private static String condition(List<String> path) {
        if (path.isEmpty()) {
            return " -n __fish_use_subcommand";
        }
        StringBuilder all = new StringBuilder(" -n '");
        for (int i = 0; i < path.size(); i++) {
            all.append(i == 0 ? "" : "; and ")
                    .append("__fish_seen_subcommand_from ")
                    .append(path.get(i));
        }
        return all.append('\'').toString();
    }

    private static String words(OptionSpec option) {
        StringBuilder words = new StringBuilder();
        for (String name : option.names()) {
            words.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
        }
        boolean hasValue = option.arity().max() > 0;
        Iterable<String> candidates = option.completionCandidates();
        if (candidates != null) {
            return words + " -x -a " + quoted(String.join(" ", candidates));
        }
        return hasValue ? words + " -r" : words.toString();
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
