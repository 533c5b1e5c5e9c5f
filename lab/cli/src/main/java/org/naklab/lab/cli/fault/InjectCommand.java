package org.naklab.lab.cli.fault;

import java.io.PrintStream;
import java.util.Set;
import java.util.concurrent.Callable;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultController;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.TargetProcess;
import org.naklab.faults.notation.FaultNotation;
import org.naklab.lab.cli.terminal.ExitCode;
import org.naklab.lab.cli.terminal.JsonOption;
import org.naklab.lab.cli.terminal.ShutdownHook;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.containers.ArmedInContainer;
import org.naklab.lab.containers.ContainerFaultKind;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.doctor.KilledLabs;
import org.naklab.lab.scenarios.runner.Cancellation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code naklab inject}. */
@Command(
        name = "inject",
        description = "Inject a fault into a process of this user, a process of a run that is under way, or a "
                + "container, and print the proof. The fault is undone when its time is over (for, 5s if left out), by "
                + "Ctrl-C, by 'naklab faults remove', and if this command is killed.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Kinds that act from outside of a process or on a container: see 'naklab faults'.",
            "",
            "Examples:",
            "  naklab inject 4711 process-pause:for=2s",
            "  naklab inject 4711 cpu-contention:thread=worker,for=5s",
            "  naklab inject runs process-pause:on=gateway-1,for=150ms@+1s",
            "  naklab inject receiver-1 network-loss:percent=30%%,for=10s",
            "",
            "Exit codes: 0 the fault fired, 2 it did not or cannot be injected, 64 wrong usage."
        })
public final class InjectCommand implements Callable<Integer> {
    private static final long USUAL_MS = 5_000;

    /** The longest time that an engine takes to arm a fault: the time of the fault itself begins afterwards. */
    private static final long ARMING_MS = 600_000;

    private final Terminal terminal;

    @Parameters(
            index = "0",
            paramLabel = "TARGET",
            description =
                    "A process id, the directory of a run that is under way or one above it (runs), or the name of a"
                            + " container.")
    private String target;

    @Parameters(
            index = "1",
            paramLabel = "FAULT",
            description = "KIND[:name=value,...][@+TIME|@second-boundary], as for 'naklab run --fault'.")
    private String text;

    @Mixin
    private JsonOption json;

    InjectCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        CatalogEntry entry = CatalogEntry.named(FaultNotation.kindOf(text));
        FaultSpec spec = parse(entry);
        Cancellation cancellation = new Cancellation();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ShutdownHook.await(cancellation), "undo-the-fault"));
        try (FaultController controller = new FaultController(new FaultSite("inject"))) {
            Injection injection = begin(entry, spec, controller);
            // Only now: a command line that is refused changes nothing and prints one line.
            KilledLabs.undo(terminal.err());
            FaultProof proof = injection.await(cancellation, terminal.err());
            print(entry, injection.target(), proof);
            return proof.fired() ? ExitCode.OK : ExitCode.UNKNOWN;
        } finally {
            cancellation.done();
        }
    }

    private FaultSpec parse(CatalogEntry entry) {
        try {
            return FaultNotation.parse(text, entry.kind(), entry.kind().name(), Set.of(), USUAL_MS);
        } catch (FaultException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private Injection begin(CatalogEntry entry, FaultSpec spec, FaultController controller) {
        boolean isOfContainers = entry.kind() instanceof ContainerFaultKind;
        if (InjectionTargets.isContainer(target) != isOfContainers) {
            throw new UsageException(entry.kind().name() + " acts on "
                    + (isOfContainers ? "containers" : "processes") + ", and '" + target + "' is "
                    + (isOfContainers ? "a process or a run" : "taken for the name of a container"));
        }
        if (!InjectionTargets.isRun(target)
                && !spec.on().equals(entry.description().on())) {
            throw new UsageException("on=" + spec.on() + " selects a process of a run; '" + target + "' is the target");
        }
        if (entry.kind() instanceof ContainerFaultKind kind) {
            FaultSpec placed = on(spec, target);
            Fault fault = new ArmedInContainer(kind, placed);
            controller.add(placed.withForMs(Math.min(FaultSpec.MAX_FOR_MS, placed.forMs() + ARMING_MS)), fault);
            return new Injection(placed, target, controller);
        }
        if (!(entry.kind() instanceof FaultKind kind && kind.actsFromOutside())) {
            throw new UsageException(entry.kind().name() + " acts in a process that offers it a seam: add it to a run"
                    + " with 'naklab run SCENARIO --fault " + text + "'");
        }
        TargetProcess process = InjectionTargets.process(target, spec.on());
        FaultSpec placed = on(spec, Long.toString(process.pid()));
        controller.site().offer(placed.on(), process);
        controller.add(placed);
        return new Injection(placed, "process " + process.pid(), controller);
    }

    private static FaultSpec on(FaultSpec spec, String name) {
        return new FaultSpec(spec.id(), spec.kind(), name, spec.when(), spec.forMs(), spec.parameters());
    }

    private void print(CatalogEntry entry, String place, FaultProof proof) {
        if (json.isGiven()) {
            json.print(terminal, new Document(entry.kind().name(), place, proof));
            return;
        }
        PrintStream out = terminal.out();
        out.println(terminal.styled(out, proof.fired() ? "@|bold,green PROVEN|@" : "@|bold,yellow NOT FIRED|@") + "  "
                + entry.kind().name() + " on " + place + ": " + proof.explanation());
        proof.figures().forEach((figure, value) -> out.println("  " + figure + "  " + value));
    }

    /** The document that {@code --json} prints. */
    record Document(String kind, String target, FaultProof proof) {}
}
