package org.naklab.lab.cli;

import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Writes the manual page from the help of all commands, in the macros {@code man}. */
final class ManPage {
    private static final int WIDTH = 76;

    private ManPage() {}

    /** Returns the page; changes the width of the help. */
    static String of(CommandLine root, String version) {
        root.setUsageHelpAutoWidth(false);
        root.setUsageHelpWidth(WIDTH);
        StringBuilder page = new StringBuilder(".TH NAKLAB 1 \"\" \"" + escaped(version)
                + "\" \"NAK Lab\"\n.SH NAME\nnaklab \\- "
                + escaped(String.join(" ", root.getCommandSpec().usageMessage().description()))
                + '\n');
        append(root, page);
        return page.append("""
                .SH FILES
                .TP
                .I ~/.config/naklab/naklab.properties
                Defaults of options, as lines OPTION=VALUE or COMMAND.OPTION=VALUE, such as runs=/data/runs. The variable NAKLAB_CONFIG names
                another file. Without either, /etc/naklab/naklab.properties is read.
                """).toString();
    }

    private static void append(CommandLine command, StringBuilder page) {
        page.append(".SH \"")
                .append(escaped(command.getCommandSpec().qualifiedName()))
                .append("\"\n.nf\n");
        command.getUsageMessage(Ansi.OFF).lines().map(ManPage::escaped).forEach(line -> page.append(line)
                .append('\n'));
        page.append(".fi\n");
        for (Map.Entry<String, CommandLine> subcommand :
                command.getSubcommands().entrySet()) {
            append(subcommand.getValue(), page);
        }
    }

    /** A point or an apostrophe at the begin of a line would be a request. */
    private static String escaped(String text) {
        String escaped = text.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
