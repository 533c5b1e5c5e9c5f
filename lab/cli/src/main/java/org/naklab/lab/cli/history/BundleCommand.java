package org.naklab.lab.cli.history;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.description.Spelling;
import org.naklab.lab.cli.bundle.Bundle;
import org.naklab.lab.cli.bundle.Contents;
import org.naklab.lab.cli.doctor.CheckResult;
import org.naklab.lab.cli.doctor.Doctor;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.StepProgress;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.Version;
import org.naklab.lab.terminal.runs.RunsOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code naklab bundle}. */
@Command(
        name = "bundle",
        description = "Write what a run or a watch left into one redacted file, to attach to a ticket.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "The file is a zip archive of the documents, events, samples and logs, the findings of doctor on this "
                    + "machine, and bundle.json: what it holds, what was left out and why. Names of hosts and users, "
                    + "home directories, passwords and other secrets, mail and hardware addresses, and IP addresses "
                    + "are replaced, also in compressed files; the same name has the same placeholder everywhere. "
                    + "Documents are read as JSON and redacted by the names of their fields, other texts by line, with "
                    + "the names of settings, headers, options and URLs and the forms of the keys of usual services; "
                    + "bundle.json lists what was replaced and by what it was recognised. "
                    + "Multicast, loopback, private and link-local addresses stay. Names that nothing marks as one, "
                    + "such as a host in a sentence, are not recognised: read the bundle before you attach it.",
            "",
            "Left out, unless --include names them, because they cannot be redacted: "
                    + "journals (journal/ and derived/), heap-dumps (also core files), jfr, pcap, perf.",
            "",
            "An existing file is never overwritten, and a bundle that is interrupted leaves none. A text has at most "
                    + "256 MiB in a bundle, and a line of it 65,536 characters, unless it is JSON; of a compressed text "
                    + "there is what could be read within 60 s.",
            "",
            "Examples:",
            "  naklab bundle",
            "  naklab bundle mystery -o /tmp/ticket.zip",
            "  naklab bundle hunt --include jfr,perf",
            "",
            "Exit codes: 0 written, 64 wrong usage, also if the file exists, 66 something cannot be read, or",
            "the file cannot be made, 69 the disk is full."
        })
public final class BundleCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(
            arity = "0..1",
            paramLabel = "RUN|DIR",
            description = "Run directory, name of a run, a scenario for its latest run, or the directory of a watch "
                    + "that recorded (default: the latest run).")
    private @Nullable String run;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Output file (default: naklab-bundle-RUN.zip in the working directory).")
    private @Nullable Path output;

    @Option(
            names = "--include",
            paramLabel = "KIND",
            split = ",",
            converter = ContentsConverter.class,
            description = "Add files that cannot be redacted: journals, heap-dumps, jfr, pcap, perf.")
    private List<Contents> included = List.of();

    @Option(names = "--no-doctor", description = "Leave out the findings of doctor, which take some seconds.")
    private boolean withoutDoctor;

    @Mixin
    private RunsOption runs;

    BundleCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Converts a kind of contents. */
    static final class ContentsConverter implements ITypeConverter<Contents> {
        @Override
        public Contents convert(String text) {
            return Arrays.stream(Contents.values())
                    .filter(kind -> kind.label().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(
                            "'" + text + "' is none of the kinds" + Spelling.hint(text, Contents.labels())));
        }
    }

    @Override
    public Integer call() throws IOException {
        Path directory = directory();
        Path file = output == null ? Path.of("naklab-bundle-" + name(directory) + ".zip") : output;
        Bundle.check(file);
        Bundle.Result result;
        try (StepProgress progress = StepProgress.untilInterrupted(
                terminal, Bundle.steps(directory), () -> terminal.err().println("no bundle was written"))) {
            List<CheckResult> findings = withoutDoctor ? List.of() : Doctor.examine(runs.directory(), unused -> {});
            Bundle bundle = new Bundle(directory, Set.copyOf(included), findings, List.of(new Version().getVersion()));
            bundle.learnThisMachine();
            result = bundle.write(file, progress::rewrite);
        }
        print(file, result);
        return ExitCode.OK;
    }

    /** Returns a directory as it is, so that one of a watch needs no record of a run. */
    private Path directory() throws IOException {
        String given = run;
        return given != null && Files.isDirectory(Path.of(given))
                ? Path.of(given).toRealPath()
                : RunArgument.find(runs.directory(), given);
    }

    private static String name(Path directory) {
        Path name = directory.getFileName();
        return name == null ? "root" : name.toString();
    }

    /** Prints what is in the bundle; the left-out files of one directory with one reason are one line. */
    private void print(Path file, Bundle.Result result) {
        PrintStream out = terminal.out();
        out.println(file);
        terminal.printHanging(out, "  redacted  ", result.files() + " files; " + originals(result.redacted()));
        result.notRedacted().forEach(line -> terminal.printHanging(out, "  as it is  ", line));
        Map<String, Long> alike = result.leftOut().stream()
                .collect(Collectors.groupingBy(BundleCommand::group, LinkedHashMap::new, Collectors.counting()));
        alike.forEach((line, files) ->
                terminal.printHanging(out, "  left out  ", line + (files > 1 ? " (" + files + " files)" : "")));
        result.toCheck().forEach(line -> terminal.printHanging(out, "  look at   ", line));
        terminal.printHanging(
                out, "  next      ", "read it before you attach it: names that nothing marks as one may remain");
    }

    private static String group(String line) {
        int slash = line.indexOf('/');
        int colon = line.indexOf(": ");
        return slash > 0 && slash < colon ? line.substring(0, slash + 1) + line.substring(colon) : line;
    }

    private static String originals(Map<String, Integer> redacted) {
        return redacted.isEmpty()
                ? "nothing to replace was found"
                : "replaced "
                        + redacted.entrySet().stream()
                                .map(kind -> kind.getValue() + " " + kind.getKey())
                                .collect(Collectors.joining(", "));
    }
}
