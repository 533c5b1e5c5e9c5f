package org.naklab.lab.cli.fault;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.PrintStream;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultController;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.TargetProcess;
import org.naklab.faults.notation.FaultNotation;
import org.naklab.lab.containers.ArmedInContainer;
import org.naklab.lab.containers.ContainerFaultKind;
import org.naklab.lab.containers.DockerEngine;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.scenarios.control.RunningRun;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.KilledLabs;
import org.naklab.lab.terminal.ShutdownHook;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code naklab inject}. */
@Command(
        name = "inject",
        description =
                "Inject a fault into a run that is under way, a process of this user, or a container, and print "
                        + "the proof. A run takes all kinds, and keeps the proof in run.json. The fault is undone when "
                        + "its time is over (for, 5s if left out), by Ctrl-C, by 'naklab faults remove', and if this command is killed.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "A process of this user takes the kinds that act from outside: see 'naklab faults'.",
            "",
            "Examples:",
            "  naklab inject baseline slow-callback:delay=5ms",
            "  naklab inject baseline datagram-loss:probability=5%%,on=gateway-1,for=2s",
            "  naklab inject 4711 process-pause:for=2s",
            "  naklab inject 4711 cpu-contention:thread=worker,for=5s",
            "  naklab inject runs process-pause:on=gateway-1,for=150ms@+1s",
            "  naklab inject receiver-1 network-loss:percent=30%%,for=10s",
            "",
            "Exit codes: 0 the fault fired, 2 it did not, 64 wrong usage, 66 no such run, process or container, 69 this user "
                    + "or machine cannot inject it."
        })
public final class InjectCommand implements Callable<Integer> {
    /** The longest time that an engine takes to arm a fault: the time of the fault itself begins afterwards. */
    private static final long ARMING_MS = 600_000;

    private final Terminal terminal;

    @Parameters(
            index = "0",
            paramLabel = "TARGET",
            description =
                    "A run that is under way, by the name of its scenario (baseline) or its directory or one above it"
                            + " (runs); a process id; or the name of a container.")
    private String target;

    @Parameters(
            index = "1",
            paramLabel = "FAULT",
            description = "KIND[:name=value,...][@WHEN], as for 'naklab run --fault'; times count from now.")
    private String text;

    @Mixin
    private JsonOption json;

    InjectCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        CatalogEntry entry = CatalogEntry.named(FaultNotation.kindOf(text));
        Optional<RunningRun> run = InjectionTargets.run(target);
        FaultSpec spec = RunInjection.parse(entry, text, run.isPresent() ? RunInjection.events() : Set.of());
        Cancellation cancellation = new Cancellation();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ShutdownHook.await(cancellation), "undo-the-fault"));
        try {
            return run.isPresent()
                    ? inject(entry, new RunInjection(run.get(), spec, terminal.err()), cancellation)
                    : inject(entry, spec, cancellation);
        } finally {
            cancellation.done();
        }
    }

    private int inject(CatalogEntry entry, RunInjection injection, Cancellation cancellation)
            throws InterruptedException {
        FaultProof proof = injection.await(cancellation);
        return end(
                new Document(entry.kind().name(), injection.target(), proof, injection.id(), injection.runDirectory()));
    }

    private int inject(CatalogEntry entry, FaultSpec spec, Cancellation cancellation) throws InterruptedException {
        try (FaultController controller = new FaultController(new FaultSite("inject"))) {
            Injection injection = begin(entry, spec, controller);
            // Only now: a command line that is refused changes nothing and prints one line.
            KilledLabs.undo(terminal.err());
            FaultProof proof = injection.await(cancellation, terminal.err());
            return end(new Document(entry.kind().name(), injection.target(), proof, null, null));
        }
    }

    private Injection begin(CatalogEntry entry, FaultSpec spec, FaultController controller) {
        boolean isOfContainers = entry.kind() instanceof ContainerFaultKind;
        boolean isProcess = InjectionTargets.isProcess(target);
        if (isProcess && isOfContainers) {
            throw new UsageException(
                    entry.kind().name() + " acts on containers, and '" + target + "' is the id of a process");
        }
        if (!isProcess && !isOfContainers) {
            throw new InputException("no run named '" + target + "' is under way, and "
                    + entry.kind().name() + " does not act on containers: start a run, or give the id of a process");
        }
        if (!spec.on().equals(entry.description().on())) {
            throw new UsageException("on=" + spec.on() + " selects a process of a run; '" + target + "' is the target");
        }
        if (entry.kind() instanceof ContainerFaultKind kind) {
            DockerEngine.inspect(target);
            FaultSpec placed = on(spec, target);
            Fault fault = new ArmedInContainer(kind, placed);
            controller.add(placed.withForMs(Math.min(FaultSpec.MAX_FOR_MS, placed.forMs() + ARMING_MS)), fault);
            return new Injection(placed, target, controller);
        }
        if (!(entry.kind() instanceof FaultKind kind && kind.actsFromOutside())) {
            throw new UsageException(entry.kind().name() + " acts inside a process of the lab: inject it into a"
                    + " run that is under way, by its name, or add it to one with 'naklab run SCENARIO --fault " + text
                    + "'");
        }
        TargetProcess process = InjectionTargets.process(target);
        FaultSpec placed = on(spec, Long.toString(process.pid()));
        kind.obstacle(placed).ifPresent(why -> {
            throw new UnavailableException(spec.kind() + " cannot be injected here: " + why);
        });
        controller.site().offer(placed.on(), process);
        controller.add(placed);
        return new Injection(placed, "process " + process.pid(), controller);
    }

    private static FaultSpec on(FaultSpec spec, String name) {
        return new FaultSpec(spec.id(), spec.kind(), name, spec.when(), spec.forMs(), spec.parameters());
    }

    private int end(Document document) {
        FaultProof proof = document.proof();
        if (json.isGiven()) {
            json.print(terminal, document);
        } else {
            PrintStream out = terminal.out();
            out.println(terminal.styled(out, proof.fired() ? "@|bold,green PROVEN|@" : "@|bold,yellow NOT FIRED|@")
                    + "  " + document.kind() + " on " + document.target() + ": " + proof.explanation());
            proof.figures().forEach((figure, value) -> out.println("  " + figure + "  " + value));
        }
        return proof.fired() ? ExitCode.OK : ExitCode.UNKNOWN;
    }

    /**
     * The document that {@code --json} prints.
     *
     * @param id of the fault in {@code run.json}; {@code null}: it is in no run
     * @param runDirectory of the run; {@code null}: it is in no run
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Document(
            String kind,
            String target,
            FaultProof proof,
            @Nullable String id,
            @Nullable String runDirectory) {}
}
