package org.naklab.lab.terminal;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.description.Spelling;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what is wrong with a command line that cannot be parsed, and what may have been meant. */
final class ParseFailure {
    private static final List<Class<?>> WHOLE_NUMBERS = List.of(long.class, int.class, Long.class, Integer.class);

    private ParseFailure() {}

    static String message(ParameterException failure) {
        if (failure instanceof UnmatchedArgumentException unmatched) {
            return unmatched(unmatched);
        }
        ArgSpec argument = failure.getArgSpec();
        String value = failure.getValue();
        if (argument == null || value == null || argument.converters().length > 0) {
            return withName(argument, String.valueOf(failure.getMessage()));
        }
        if (argument.typeInfo().isEnum()) {
            List<String> words = argument.typeInfo().getEnumConstantNames().stream()
                    .map(word -> word.toLowerCase(Locale.ROOT))
                    .toList();
            return name(argument) + ": '" + value + "' is not one of its values" + Spelling.hint(value, words);
        }
        return WHOLE_NUMBERS.contains(argument.type())
                ? name(argument) + ": '" + value + "' is not a whole number"
                : withName(argument, String.valueOf(failure.getMessage()));
    }

    private static String unmatched(UnmatchedArgumentException failure) {
        CommandLine command = failure.getCommandLine();
        String first = failure.getUnmatched().get(0);
        if (failure.isUnknownOption()) {
            return failure.getSuggestions().stream()
                    .findFirst()
                    .map(suggestion -> "unknown option: '" + first + "'; did you mean " + suggestion + "?")
                    .orElse("unknown option: '" + first + "'");
        }
        if (!command.getSubcommands().isEmpty()) {
            return command.getCommandSpec().qualifiedName() + " has no command '" + first + "'"
                    + Spelling.hint(first, command.getSubcommands().keySet());
        }
        return "one argument too many: '" + first + "'";
    }

    /** Parameters are called as the help calls them, and not by their position. */
    private static String withName(@Nullable ArgSpec argument, String message) {
        return argument != null && argument.isPositional()
                ? message.replaceFirst("^Invalid value for positional parameter [^:]*: ", name(argument) + ": ")
                : message;
    }

    private static String name(ArgSpec argument) {
        return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    }
}
