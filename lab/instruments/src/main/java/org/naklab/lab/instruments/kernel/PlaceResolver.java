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
import org.jspecify.annotations.Nullable;
import org.naklab.lab.instruments.kernel.counters.FrozenGroup;
import org.naklab.lab.instruments.kernel.symbols.PerfMap;
import org.naklab.lab.instruments.kernel.symbols.ProcessMappings;
import org.naklab.lab.instruments.kernel.symbols.StackFrame;
import org.naklab.lab.instruments.linking.BindCallSite;

/** Adds to records what only the living process can tell: files and sections of addresses, names of compiled Java code, calls that bind a symbol, directories of cgroups. One thread. */
final class PlaceResolver {
    private final Map<Integer, KnownMap> maps = new HashMap<>();

    private record KnownMap(FileTime modified, PerfMap map) {}

    KernelRecord resolve(KernelRecord kernelRecord) {
        if (kernelRecord instanceof PageFaultSpan fault) {
            return resolve(fault);
        }
        if (kernelRecord instanceof Absence absence) {
            PageFaultSpan fault = absence.fault() == null ? null : resolve(absence.fault());
            return absence.withPlaces(
                    frozenGroup(absence),
                    fault,
                    resolve(absence, absence.fileLock()),
                    BindCallSite.addTo(
                            absence.task().pid(), resolve(absence.task().pid(), absence.userStack())));
        }
        if (kernelRecord instanceof KernelRecord.Sample sample) {
            List<StackFrame> frames = resolve(sample.task().pid(), sample.userStack());
            return new KernelRecord.Sample(sample.timeNs(), sample.task(), sample.kernelStack(), frames);
        }
        return kernelRecord;
    }

    /** The thread that released a lock, and so ended the wait, has held it; also one that ended with the lock. */
    private static Absence.@Nullable FileLock resolve(Absence absence, Absence.@Nullable FileLock lock) {
        if (lock == null) {
            return null;
        }
        Path link = Path.of("/proc", Integer.toString(absence.task().pid()), "fd", Integer.toString(lock.descriptor()));
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

    private static PageFaultSpan resolve(PageFaultSpan fault) {
        Optional<ProcessMappings> mappings =
                ProcessMappings.ofProcess(fault.task().pid());
        return fault.withPlaces(
                mappings.flatMap(all -> all.at(fault.address())).orElse(null),
                mappings.filter(all -> !fault.inKernel())
                        .flatMap(all -> all.at(fault.instruction()))
                        .orElse(null));
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
        return absence.state() == WaitState.FROZEN
                ? FrozenGroup.of(absence.task().pid(), absence.cgroupId())
                : "";
    }
}
