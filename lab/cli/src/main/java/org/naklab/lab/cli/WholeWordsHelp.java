package org.naklab.lab.cli;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.naklab.lab.terminal.Table;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The help of a command, whose lines end between words only. Picocli asks the JDK where a line may end, and that is after the colons of "-XX:+UseParallelGC" and
 * "jdbc:sqlite:FILE", too. So letters stand for the punctuation while picocli lays the texts out, see {@link Table#unbreakable}.
 */
final class WholeWordsHelp extends Help {
    private static final int INDENT = 2;

    private WholeWordsHelp(CommandSpec command, ColorScheme colours) {
        super(command, colours);
    }

    /** Lets a program and all its commands print this help. */
    static CommandLine addTo(CommandLine line) {
        Map<String, IHelpSectionRenderer> sections = new LinkedHashMap<>(line.getHelpSectionMap());
        sections.replaceAll((name, section) -> help -> Table.original(section.render(help)));
        return line.setHelpSectionMap(sections).setHelpFactory(WholeWordsHelp::new);
    }

    @Override
    public String description(Object... parameters) {
        return joined(commandSpec().usageMessage().description(), parameters);
    }

    @Override
    public String footer(Object... parameters) {
        return joined(commandSpec().usageMessage().footer(), parameters);
    }

    private String joined(String[] texts, Object... parameters) {
        UsageMessageSpec usage = commandSpec().usageMessage();
        String[] whole = Arrays.stream(texts)
                .map(text -> Table.unbreakable(String.format(Locale.ROOT, text, parameters)))
                .toArray(String[]::new);
        return join(ansi(), usage.width(), usage.adjustLineBreaksForWideCJKCharacters(), whole, new StringBuilder())
                .toString();
    }

    /** The first line of the description of each command, beside its names. */
    @Override
    public String commandList(Map<String, Help> commands) {
        int names = commands.values().stream()
                .mapToInt(
                        command -> command.commandNamesText(", ").plainString().length())
                .max()
                .orElse(0);
        TextTable table = TextTable.forColumns(
                colorScheme(),
                new Column(names + INDENT, INDENT, Column.Overflow.SPAN),
                new Column(commandSpec().usageMessage().width() - names - INDENT, INDENT, Column.Overflow.WRAP));
        commands.values()
                .forEach(command -> table.addRowValues(
                        command.commandNamesText(", "),
                        whole(String.format(
                                Locale.ROOT,
                                command.commandSpec().usageMessage().description()[0]))));
        return table.toString();
    }

    @Override
    public IOptionRenderer createDefaultOptionRenderer() {
        IOptionRenderer usual = super.createDefaultOptionRenderer();
        return (option, labels, colours) -> withWholeDescriptions(usual.render(option, labels, colours));
    }

    @Override
    public IParameterRenderer createDefaultParameterRenderer() {
        IParameterRenderer usual = super.createDefaultParameterRenderer();
        return (parameter, labels, colours) -> withWholeDescriptions(usual.render(parameter, labels, colours));
    }

    /** The description is the last column. */
    private Text[][] withWholeDescriptions(Text[][] rows) {
        for (Text[] row : rows) {
            row[row.length - 1] = whole(row[row.length - 1].plainString());
        }
        return rows;
    }

    private Text whole(String text) {
        return colorScheme().text(Table.unbreakable(text));
    }
}
