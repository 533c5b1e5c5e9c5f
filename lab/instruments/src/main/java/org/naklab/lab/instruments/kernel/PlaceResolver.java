package org.naklab.lab.instruments.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.instruments.kernel.counters.FrozenGroup;
import org.naklab.lab.instruments.kernel.symbols.MappedPlace;
import org.naklab.lab.instruments.kernel.symbols.PerfMap;
import org.naklab.lab.instruments.kernel.symbols.ProcessMappings;
import org.naklab.lab.instruments.kernel.symbols.StackFrame;
import org.naklab.lab.instruments.linking.BindCallSite;
import org.naklab.lab.instruments.sockets.SocketsOfCall;

/**
 * Adds to records what only the living process can tell: files and sections of addresses, names of compiled Java code, calls that bind a symbol, directories of cgroups.
 * Records come in batches: what a process has mapped is read once for the faults that happened before that, and again for an address that is not in it. One thread.
 */
final class PlaceResolver {
    /** What was read so short before a fault holds for it. */
    private static final long FRESH_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int MAX_PROCESSES = 64;

    /** A line of {@code /proc/PID/task/TID/stack}. */
    private final Function<Absence, List<String>> stacks;

    private final IntFunction<Optional<ProcessMappings>> reader;
    private final LongSupplier clock;
    private final Map<Integer, KnownMap> maps = new HashMap<>();
    private final Map<Integer, KnownMappings> mapped = new HashMap<>();

    private record KnownMap(FileTime modified, PerfMap map) {}

    private final Map<CallKey, KnownSockets> sockets = new HashMap<>();

    private record CallKey(int pid, int descriptor) {}

    private record KnownSockets(long readNs, ThreadAbsence.@Nullable SocketWait sockets) {}

    private record KnownMappings(long readNs, Optional<ProcessMappings> mappings) {}

    PlaceResolver() {
        this(ProcessMappings::ofProcess, PlaceResolver::kernelStack, System::nanoTime);
    }

    /**
     * Creates a resolver.
     *
     * @param reader of what a process has mapped
     * @param stacks returns the functions of the kernel in which a thread is, innermost first
     * @param clock CLOCK_MONOTONIC, ns, as in the records
     */
    PlaceResolver(
            IntFunction<Optional<ProcessMappings>> reader, Function<Absence, List<String>> stacks, LongSupplier clock) {
        this.reader = reader;
        this.stacks = stacks;
        this.clock = clock;
    }

    KernelRecord resolve(KernelRecord kernelRecord) {
        if (kernelRecord instanceof PageFaultSpan fault) {
            return resolve(fault);
        }
        if (kernelRecord instanceof Absence absence) {
            PageFaultSpan fault = absence.fault() == null ? null : resolve(absence.fault());
            return absence.withKernelStack(stacks.apply(absence))
                    .withPlaces(
                            frozenGroup(absence),
                            fault,
                            resolve(absence, absence.fileLock()),
                            resolve(absence, absence.socketCall()),
                            BindCallSite.addTo(
                                    absence.task().pid(), resolve(absence.task().pid(), absence.userStack())));
        }
        if (kernelRecord instanceof KernelRecord.Sample sample) {
            List<StackFrame> frames = resolve(sample.task().pid(), sample.userStack());
            return new KernelRecord.Sample(sample.timeNs(), sample.task(), sample.kernelStack(), frames);
        }
        return kernelRecord;
    }

    /** The kernel's stack is recorded when a thread comes back. One that has not waits still, and shows where. */
    private static List<String> kernelStack(Absence absence) {
        if (!absence.isOpen() || !absence.kernelStack().isEmpty()) {
            return absence.kernelStack();
        }
        return ThreadStateSampler.kernelStack(ProcPaths.of(absence.task().pid())
                .resolve("task")
                .resolve(Integer.toString(absence.task().tid())));
    }

    /** The thread that released a lock, and so ended the wait, has held it; also one that ended with the lock. */
    private static Absence.@Nullable FileLock resolve(Absence absence, Absence.@Nullable FileLock lock) {
        if (lock == null) {
            return null;
        }
        Path link = ProcPaths.of(absence.task().pid(), "fd", Integer.toString(lock.descriptor()));
        String file = lock.file();
        try {
            file = Files.readSymbolicLink(link).toString();
        } catch (IOException closedOrGone) {
            file = "";
        }
        Waking waking = absence.waking();
        TaskId holder =
                waking == null || waking.byInterrupt() || waking.waker().tid() == 0 ? lock.holder() : waking.waker();
        return new Absence.FileLock(lock.call(), lock.descriptor(), file, holder);
    }

    /** Records come so often while datagrams do that a set is not read for each of them. */
    private Absence.@Nullable SocketCall resolve(Absence absence, Absence.@Nullable SocketCall call) {
        if (call == null) {
            return null;
        }
        CallKey key = new CallKey(absence.task().pid(), call.descriptor());
        KnownSockets known = sockets.get(key);
        if (known == null || absence.timeNs() - known.readNs > FRESH_NS) {
            Path process = ProcPaths.of(key.pid);
            known = new KnownSockets(
                    clock.getAsLong(), SocketsOfCall.of(process, key.descriptor).orElse(null));
            if (sockets.size() >= MAX_PROCESSES) {
                sockets.clear();
            }
            sockets.put(key, known);
        }
        return new Absence.SocketCall(call.descriptor(), known.sockets);
    }

    private PageFaultSpan resolve(PageFaultSpan fault) {
        return fault.withPlaces(
                placeAt(fault, fault.address()), fault.inKernel() ? null : placeAt(fault, fault.instruction()));
    }

    private @Nullable MappedPlace placeAt(PageFaultSpan fault, long address) {
        int pid = fault.task().pid();
        KnownMappings known = mapped.get(pid);
        if (known != null && fault.timeNs() - known.readNs <= FRESH_NS) {
            Optional<MappedPlace> place = known.mappings.flatMap(all -> all.at(address));
            if (place.isPresent() || known.readNs - fault.timeNs() >= 0) {
                return place.orElse(null);
            }
        }
        return read(pid).mappings.flatMap(all -> all.at(address)).orElse(null);
    }

    private KnownMappings read(int pid) {
        if (mapped.size() >= MAX_PROCESSES) {
            mapped.clear();
        }
        KnownMappings known = new KnownMappings(clock.getAsLong(), reader.apply(pid));
        mapped.put(pid, known);
        return known;
    }

    private List<StackFrame> resolve(int pid, List<StackFrame> frames) {
        if (frames.stream().allMatch(frame -> !frame.module().isEmpty())) {
            return frames;
        }
        PerfMap map = mapOf(pid);
        return map == null
                ? frames
                : frames.stream()
                        .map(frame -> frame.module().isEmpty() ? map.resolve(frame) : frame)
                        .toList();
    }

    private @Nullable PerfMap mapOf(int pid) {
        Path file = PerfMap.file(pid);
        try {
            FileTime modified = Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS);
            KnownMap known = maps.get(pid);
            if (known == null || !known.modified().equals(modified)) {
                known = new KnownMap(modified, PerfMap.ofProcess(pid));
                maps.put(pid, known);
            }
            return known.map();
        } catch (IOException none) {
            return null;
        }
    }

    private static String frozenGroup(Absence absence) {
        return absence.state() == ThreadAbsence.State.FROZEN
                ? FrozenGroup.of(absence.task().pid(), absence.cgroupId())
                : "";
    }
}
