package org.naklab.lab.workshop.command;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.workshop.Answer;
import org.naklab.lab.workshop.Grade;
import org.naklab.lab.workshop.Remedy;
import org.naklab.lab.workshop.Session;
import org.naklab.lab.workshop.Unit;
import org.naklab.lab.workshop.Workshop;
import org.naklab.lab.workshop.meaning.Meaning;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code naklab workshop}: lists the units. */
@Command(
        name = "workshop",
        description = "Find the causes of receive stalls yourself, in recorded cases, and be graded.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        synopsisSubcommandLabel = "[COMMAND]",
        commandListHeading = "%nCommands:%n",
        subcommands = {
            WorkshopStartCommand.class,
            WorkshopStatusCommand.class,
            WorkshopEvidenceCommand.class,
            WorkshopAskCommand.class,
            WorkshopHintCommand.class,
            WorkshopAnswerCommand.class,
            WorkshopDebriefCommand.class,
            WorkshopScoreCommand.class,
            WorkshopSealCommand.class,
            WorkshopSolveCommand.class,
            WorkshopValidateCommand.class,
            WorkshopCheckCommand.class,
            WorkshopServeCommand.class,
            WorkshopLinkCommand.class
        },
        footer = {
            "",
            "Without a command it lists the units. Each unit is a recorded case without its cause. You look at the "
                    + "evidence, buy measurements with points, and answer with a cause, a time, facts, suspects that "
                    + "are ruled out, and a remedy. It needs no network, no root, and no Docker.",
            "",
            "Examples:",
            "  naklab workshop",
            "  naklab workshop start 1",
            "  naklab workshop evidence statistics",
            "  naklab workshop ask run-queue",
            "  naklab workshop answer --cause cannot-tell",
            "  naklab workshop debrief",
            "",
            "Exit codes: 0 done, 64 wrong usage, 66 the workshop's files cannot be used."
        })
public final class WorkshopCommand implements Callable<Integer> {
    /** What stands before the words of a line: what the line is about, or blanks with the mark of an entry of a list or a time. */
    private static final Pattern BEGIN =
            Pattern.compile("[A-Z][a-z]+(?: [a-z]+)? {2,}| *(?:\\d+\\. |- |\\d+\\.\\d{4}  )?");

    /** Words in bold or italics: their marks are for pages. */
    private static final Pattern MARKED = Pattern.compile("(?<!\\w)(\\*{1,2})([^\\s*][^*]*)\\1(?!\\w)");

    /** A line of code, which is not wrapped because somebody may copy it; a line that begins with a time is none. */
    private static final Pattern CODE = Pattern.compile(" {4}(?!\\d+\\.\\d{4}  ).*");

    private final Terminal terminal;

    @Mixin
    private WorkshopOptions options;

    /** Creates the command. */
    public WorkshopCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    Terminal terminal() {
        return terminal;
    }

    WorkshopOptions options() {
        return options;
    }

    @Override
    public Integer call() {
        Workshop workshop = options.open();
        Table table = new Table(terminal, terminal.out(), Align.LEFT, Align.RIGHT, Align.RIGHT, Align.LEFT, Align.LEFT);
        table.indent(0);
        table.row("unit", "min", "level", "score", "about");
        for (Unit unit : workshop.units()) {
            table.row(
                    unit.name(),
                    String.valueOf(unit.settings().minutes()),
                    String.valueOf(unit.settings().level()),
                    workshop.session(unit).map(WorkshopCommand::state).orElse("-"),
                    unit.settings().title() + needs(unit.settings().needs()));
        }
        table.print();
        terminal.out().println();
        terminal.out().println("Start with: naklab workshop start 1");
        return ExitCode.OK;
    }

    private static String needs(String needs) {
        return needs.equals("nothing") ? "" : "; needs " + needs;
    }

    /** Prints lines of text, each wrapped below its own beginning and without the marks of bold and italics. */
    void print(List<String> lines) {
        for (String marked : lines) {
            if (CODE.matcher(marked).matches()) {
                terminal.out().println(marked);
                continue;
            }
            String line = MARKED.matcher(marked).replaceAll("$2");
            Matcher begin = BEGIN.matcher(line);
            String head = begin.lookingAt() ? begin.group() : "";
            terminal.printHanging(terminal.out(), head, line.substring(head.length()));
        }
    }

    /** Prints what a trainee needs to know of a unit: its texts, and what an answer can say. */
    void printBrief(Unit unit) {
        PrintStream out = terminal.out();
        for (String section : new String[] {Unit.QUESTION, Unit.BACKGROUND, Unit.HUNT}) {
            out.println();
            out.println(section.toUpperCase(Locale.ROOT));
            out.println();
            print(unit.section(section).lines().toList());
        }
        out.println();
        out.println("ANSWER");
        out.println();
        out.println("The cause (--cause) is one of:");
        unit.settings().suspects().stream()
                .map(Answer::causeOf)
                .forEach(cause -> printWord(cause.label(), Meaning.of(cause)));
        if (!unit.settings().suspects().contains(Cause.UNEXPLAINED.label())) {
            printWord(Cause.UNEXPLAINED.label(), Meaning.of(Cause.UNEXPLAINED) + "; 10 points if it does");
        }
        out.println();
        out.println("The remedy (--remedy) is one of:");
        Arrays.stream(Remedy.values()).forEach(remedy -> printWord(remedy.label(), remedy.about()));
        out.println();
        terminal.printHanging(
                out,
                "",
                "Facts (--because) are numbers of lines, as e17, or counters, as dropped; the time (--at) lies where the "
                        + "cause took effect. A suspect that is ruled out (--not) is the name of something that you asked "
                        + "for, with a number of its figure. Where nothing happened there is no --at.");
        out.println();
        out.println("  naklab workshop answer --cause CAUSE --at 0.573 --because e17,e18 \\");
        out.println("      --not run-queue=0.1,locks=0.0 --remedy REMEDY --sure 80");
    }

    private void printWord(String word, String meaning) {
        terminal.printHanging(terminal.out(), String.format(Locale.ROOT, "  %-24s ", word), meaning);
    }

    static String state(Session session) {
        Grade grade = session.grade();
        return grade == null ? "begun" : Workshop.points(grade.score());
    }
}
