package org.naklab.lab.tools.jitter.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.KilledLabs;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.runs.PageOption;
import org.naklab.lab.tools.jitter.Injection;
import org.naklab.lab.tools.jitter.JitterReport;
import org.naklab.lab.tools.jitter.JitterRun;
import org.naklab.lab.tools.jitter.MeterSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code naklab jitter}. */
@Command(
        name = "jitter",
        description = {
            "Measure the latency between two threads of a JVM, and explain its outliers.",
            "For each one of microseconds it says what kept the thread: a safepoint with its",
            "operation, a collection, the run queue, an interrupt, a soft interrupt, a page",
            "fault, a late timer, the hypervisor."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "One thread sends a message whenever one is due, the other one reads it; the",
            "latency counts from the time at which it was due. The kernel is looked at with",
            "root; without, only safepoints and collections are, and the rest is unexplained.",
            "",
            "Examples:",
            "  naklab jitter",
            "  naklab jitter --duration 2m --pin 2,3 --threshold 30us",
            "  naklab jitter --inject safepoint:100us --json",
            "  sudo naklab jitter --trace worst",
            "  naklab jitter --arm default --arm gsi=300000 --duration 20s",
            "  naklab jitter --experiment guaranteed-safepoint --jdk 17,25"
        })
public final class JitterCommand implements Callable<Integer> {
    private static final long USUAL_NS = TimeUnit.MINUTES.toNanos(10);

    /** With fewer, no interval has an end. */
    private static final int LEAST_ROUNDS = 6;

    private final Terminal terminal;

    @Mixin
    private MeterOptions meter;

    @Option(
            names = "--worst",
            paramLabel = "N",
            defaultValue = "10",
            converter = Converters.Count.class,
            description = "How many of the worst outliers are listed (default: ${DEFAULT-VALUE}).")
    private int worst;

    @Option(
            names = "--arm",
            paramLabel = "NAME=FLAGS",
            converter = Arm.Converter.class,
            description = {
                "Compare settings of the JVM, in turns; can be repeated. default: no flags;",
                "gsi=MS: -XX:GuaranteedSafepointInterval=MS, each MS ms a periodic safepoint;",
                "NAME=FLAGS: any flags, such as big=\"-Xmx2g -Xms2g\". The first is the reference."
            })
    private List<Arm> arms = List.of();

    @Option(
            names = "--experiment",
            paramLabel = "NAME",
            converter = Experiment.Converter.class,
            description = "Arms that are ready: guaranteed-safepoint, time-to-safepoint, gc-threads.")
    private @Nullable Experiment experiment;

    @Option(
            names = "--jdk",
            paramLabel = "N,N",
            description = {
                "JDKs of this machine by release, such as 17,25, or all (default: that of the",
                "lab; with arms, all)."
            })
    private @Nullable String jdks;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            converter = Converters.Count.class,
            description = {
                "With arms, how often each is measured at most (default: as often as 10",
                "minutes allow, at least 6 times). It ends as soon as each has an answer."
            })
    private @Nullable Integer rounds;

    @Option(
            names = "--trace",
            paramLabel = "DIR",
            description = {
                "Keep the kernel's trace of all CPUs of the worst outlier in a directory, and",
                "print what ran meanwhile on the CPU of the thread that was late. Needs root."
            })
    private @Nullable Path trace;

    @Mixin
    private PageOption page;

    @Mixin
    private JsonOption json;

    JitterCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        boolean isComparison = experiment != null || !arms.isEmpty();
        if (experiment != null && !arms.isEmpty()) {
            throw new UsageException("--experiment has arms of its own; leave out --arm");
        }
        if (isComparison && trace != null) {
            throw new UsageException("--trace is for a single measurement; leave out --arm and --experiment");
        }
        if (isComparison && meter.injection().kind() != Injection.Kind.NONE) {
            throw new UsageException("--inject is for a single measurement; leave out --arm and --experiment");
        }
        page.check();
        KilledLabs.undo(terminal.err());
        String wanted = jdks;
        List<Jdk> chosen = wanted != null ? Jdk.named(wanted) : isComparison ? Jdk.found() : List.of(Jdk.own());
        if (trace != null && chosen.size() > 1) {
            throw new UsageException("--trace is for a single measurement; name one JDK");
        }
        if (!isComparison && chosen.size() == 1 && rounds != null) {
            throw new UsageException(
                    "--rounds is for a comparison; give --arm, --experiment or several JDKs, or leave it out");
        }
        return isComparison || chosen.size() > 1 ? compare(chosen) : measure(chosen.get(0));
    }

    private int measure(Jdk jdk) {
        Path traceInto = trace == null ? null : created(trace);
        MeterSettings settings = meter.settings(0, 0);
        terminal.err()
                .println("measuring for " + Format.seconds(settings.times().durationNs()) + ", after "
                        + Format.seconds(settings.times().warmUpNs()) + " of warm-up");
        JitterReport report = JitterRun.run(
                settings, new JitterRun.Subject(jdk.java(), List.of(), meter.injection(), worst, traceInto));
        page.write(terminal, "jitter", "measurement", file -> JitterPage.write(file, report));
        if (json.isGiven()) {
            json.print(terminal, report);
        } else {
            new JitterPrinter(terminal).print(report);
        }
        return ExitCode.OK;
    }

    private static Path created(Path directory) {
        try {
            return OutputFile.directory(directory);
        } catch (IOException e) {
            throw new LabException("cannot make the directory " + directory + ": " + e.getMessage(), e);
        }
    }

    private int compare(List<Jdk> chosen) throws InterruptedException {
        Experiment ready = experiment;
        List<Arm> compared = ready != null ? ready.arms() : arms.isEmpty() ? List.of(Arm.DEFAULT) : arms;
        MeterSettings settings =
                ready == null ? meter.settings(0, 0) : meter.settings(ready.garbageMbPerS(), ready.loopNs());
        List<ArmSummary> summaries = ArmRounds.run(
                settings,
                chosen,
                compared,
                rounds == null ? usualRounds(settings, chosen.size() * compared.size()) : rounds,
                terminal.err()::println);
        page.write(
                terminal,
                "jitter",
                "comparison",
                file -> ArmPage.write(file, ready == null ? "settings" : ready.label(), summaries));
        if (json.isGiven()) {
            json.print(terminal, Map.of("arms", summaries));
        } else {
            new ArmPrinter(terminal).print(summaries);
        }
        return ExitCode.OK;
    }

    private static int usualRounds(MeterSettings settings, int arms) {
        long roundNs = arms * (settings.times().warmUpNs() + settings.times().durationNs());
        return (int) Math.max(LEAST_ROUNDS, USUAL_NS / roundNs);
    }
}
