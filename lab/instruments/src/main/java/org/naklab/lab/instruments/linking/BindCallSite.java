package org.naklab.lab.instruments.linking;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.instruments.kernel.symbols.StackFrame;

/**
 * Names the call that made the dynamic linker bind a symbol, from the return address in the frame that called the linker. It needs
 * no symbols of the library that calls, so a stripped one is named, too.
 */
public final class BindCallSite {
    private static final String LINKER = "ld-";
    private static final String OLD_LINKER = "ld.so";

    private BindCallSite() {}

    /**
     * Adds a frame between the dynamic linker and its caller: {@code call of sched_yield through the PLT in libnaklab_yield.so+0x1234}.
     *
     * @param pid of the process that has the stack
     * @param frames innermost first
     * @return the frames as they are if no function is being bound, the process is gone, or its files cannot be read
     */
    public static List<StackFrame> addTo(long pid, List<StackFrame> frames) {
        int caller = 0;
        // An audit library, and what it calls, is inside of the linker.
        while (caller < frames.size() && !isLinker(frames.get(caller))) {
            caller++;
        }
        while (caller < frames.size() && isLinker(frames.get(caller))) {
            caller++;
        }
        if (caller == frames.size()) {
            return frames;
        }
        StackFrame frame = frames.get(caller);
        Optional<String> call = callBefore(ProcPaths.of(pid), frame);
        if (call.isEmpty()) {
            return frames;
        }
        List<StackFrame> named = new ArrayList<>(frames);
        named.add(caller, new StackFrame(frame.address(), call.get(), 0, frame.module()));
        return named;
    }

    private static boolean isLinker(StackFrame frame) {
        String name = name(frame.module());
        return name.startsWith(LINKER) || name.equals(OLD_LINKER);
    }

    private static Optional<String> callBefore(Path process, StackFrame frame) {
        List<LoadedLibrary> libraries = List.of();
        try {
            libraries = LoadedLibrary.holding(process, frame.address());
            for (LoadedLibrary library : libraries) {
                Optional<CallSite> call = CallSite.before(library.image(), frame.address() - library.bias());
                if (call.filter(CallSite::isThroughPlt).isPresent()) {
                    return Optional.of(call.get().in(library.name()));
                }
            }
            return Optional.empty();
        } catch (IOException goneOrDamaged) {
            return Optional.empty();
        } finally {
            libraries.forEach(library -> library.image().close());
        }
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
