package org.naklab.lab.containers.pace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.binding.YieldMeasurement;
import org.naklab.files.FileTrees;
import org.naklab.lab.core.LabException;
import org.naklab.lab.process.ChildProcess;
import org.naklab.lab.process.ControlCommand;
import org.naklab.lab.process.Installation;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.process.Role;

/** Binds late in a process of this machine whose control group has slow reads. */
final class HostTrial implements ReadTrial {
    private static final String NAME = "eviction-probe";
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final Path parent;

    /** @param parent a directory on the disk whose reads become slow; each trial has its own within it and deletes it */
    HostTrial(Path parent) {
        this.parent = parent;
    }

    @Override
    public Bind bind(ReadThrottle pace) {
        String name = "naklab-trial-" + ProcessHandle.current().pid() + '-' + NUMBERS.incrementAndGet();
        try {
            Path directory = Files.createDirectory(parent.resolve(name));
            try (ReadGroup group = new ReadGroup(name, directory, pace.readsPerSecond())) {
                group.prepare();
                return bind(pace, directory, group);
            } finally {
                FileTrees.delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a directory for a trial in " + parent, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted", e);
        }
    }

    private static Bind bind(ReadThrottle pace, Path directory, ReadGroup group) throws InterruptedException {
        OwnLibraries libraries = OwnLibraries.copyTo(directory.resolve("libraries"));
        List<String> jvm = new ArrayList<>(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1"));
        jvm.addAll(libraries.jvmArguments());
        ProcessSpec<EvictionProbe.Config> spec = new ProcessSpec<>(
                NAME,
                Role.TOOL,
                EvictionProbe.class,
                jvm,
                libraries.environment(),
                new EvictionProbe.Config(
                        directory.toString(),
                        pace.firstWaitMs(),
                        group.directory().toString()));
        try (ChildProcess probe = ChildProcess.start(spec, directory, Installation.current(), (process, event) -> {})) {
            ProcessEvent.Ready unused = answered(probe, probe.await(ProcessEvent.Ready.class, TIMEOUT_NS));
            group.onSettled();
            YieldMeasurement bound = answered(
                            probe, probe.ask(ControlCommand.BIND, ProcessEvent.Bound.class, TIMEOUT_NS))
                    .measurement();
            return new Bind(bound.majorFaults(), bound.durationNs());
        }
    }

    private static <E> E answered(ChildProcess probe, @Nullable E event) {
        if (event == null) {
            throw new LabException(
                    NAME + " did not respond; " + (probe.isAlive() ? "it runs" : "ended: " + probe.endedHow()));
        }
        return event;
    }
}
