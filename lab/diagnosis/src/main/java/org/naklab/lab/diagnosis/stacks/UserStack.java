package org.naklab.lab.diagnosis.stacks;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadEvent.JavaStack;
import org.naklab.lab.core.timeline.ThreadEvent.ThreadSample;
import org.naklab.lab.core.timeline.TimelineEvent;

/** Reads what a program's own stack tells of a wait. */
public final class UserStack {
    /** Functions of the C library in which a thread waits; of a name, the leading underscores are left out. */
    private static final Set<String> LIBRARY = Set.of(
            "syscall",
            "clock_nanosleep",
            "nanosleep",
            "usleep",
            "sleep",
            "poll",
            "ppoll",
            "select",
            "pselect",
            "epoll_wait",
            "epoll_pwait",
            "read",
            "write",
            "recv",
            "recvfrom",
            "recvmsg",
            "recvmmsg",
            "fsync",
            "fdatasync",
            "msync",
            "fcntl",
            "fcntl64",
            "flock",
            "open",
            "open64");

    private static final List<String> LIBRARY_PREFIXES =
            List.of("pthread_", "lll_", "futex_", "libc_", "clock_nanosleep", "nanosleep", "GI_");

    /** Functions of the libraries of C++, Rust and Go begin with these. */
    private static final List<String> LANGUAGE_PREFIXES = List.of(
            "std::",
            "__gnu_cxx::",
            "core::",
            "alloc::",
            "<std::",
            "<core::",
            "<alloc::",
            "runtime.",
            "syscall.",
            "internal/");

    /** Functions of HotSpot by which a thread waits for the end of a safepoint, mangled. */
    private static final List<String> SAFEPOINT = List.of("SafepointSynchronize", "SafepointMechanism");

    /** Parts of names of functions, plain or mangled. */
    private static final List<String> PAUSES = List.of("sleep", "Sleep", "Parker");

    /** Parts of names of the functions of HotSpot that park a thread, plain or mangled. */
    private static final List<String> PARKS = List.of("Parker", "Unsafe_Park");

    /** Functions of Go's runtime in which a thread waits for a goroutine that it can run. */
    private static final List<String> GO_IDLE =
            List.of("runtime.findRunnable", "runtime.findrunnable", "runtime.stopm");

    /** Functions by which a thread comes into the kernel; each is on all stacks of its kind. */
    private static final List<String> ENTRY = List.of(
            "entry_SYSCALL",
            "do_syscall_",
            "x64_sys_call",
            "__x64_sys_",
            "syscall_",
            "asm_",
            "exc_",
            "do_user_addr_fault",
            "irqentry_",
            "ret_from_fork",
            "el0t_64_",
            "el0_",
            "do_el0_svc",
            "invoke_syscall",
            "__arm64_sys_",
            "do_mem_abort");

    /** {@code pthread_spin_lock}, {@code SpinLock::acquire}, {@code spinWait}; no word such as "spine". */
    private static final Pattern SPIN = Pattern.compile("(?i)spin_?(lock|wait)|\\bspin\\b");

    private static final double COMMON = 0.8;

    private UserStack() {}

    /**
     * Returns the innermost function of the program's own, as {@code in FUNCTION}: outside of the libraries of C, C++, Rust and Go. Without one, that outside of the C
     * library; empty if there is none.
     *
     * @param stack functions, innermost first
     */
    public static String caller(List<String> stack) {
        List<String> callers = stack.stream()
                .filter(function -> !function.startsWith("[") && !isOfLibrary(function))
                .map(UserStack::readable)
                .toList();
        return callers.stream()
                .filter(function -> LANGUAGE_PREFIXES.stream().noneMatch(function::startsWith))
                .findFirst()
                .or(() -> callers.stream().findFirst())
                .map(function -> "in " + function)
                .orElse("");
    }

    /** Returns the Java method in which a thread was on a CPU for longest in an interval, as {@code in METHOD}; empty if JFR did not sample it. */
    public static Optional<String> javaCode(Stream<TimelineEvent> javaStacks, Interval interval) {
        return javaStacks
                .flatMap(TimelineEvent.only(JavaStack.class))
                .filter(stack -> !stack.code().isNative())
                .filter(stack -> stack.interval().overlaps(interval))
                .max(Comparator.comparingLong(stack -> stack.interval()
                        .intersection(interval)
                        .map(Interval::lengthNs)
                        .orElse(0L)))
                .map(stack -> "in " + stack.code().where());
    }

    /**
     * Returns the function in which a thread was sampled on a CPU, and what the kernel did for it, as {@code in fill, in the kernel in clear_page_erms}. A sample without its
     * own stack tells at least what the kernel did.
     */
    public static Optional<String> sampledCode(Stream<TimelineEvent> samples, Interval interval) {
        List<ThreadSample> inside = samples.filter(sample -> interval.contains(sample.timeNs()))
                .flatMap(TimelineEvent.only(ThreadSample.class))
                .toList();
        Optional<String> ofKernel = common(inside.stream()
                .map(sample -> sample.kernelStack().stream()
                        .filter(function -> ENTRY.stream().noneMatch(function::startsWith))
                        .toList())
                .toList());
        if (inside.stream().allMatch(sample -> sample.userStack().isEmpty())) {
            return ofKernel.map(function -> "in " + function);
        }
        String kernel = ofKernel.map(function -> "in the kernel in " + function).orElse("");
        return common(inside.stream()
                        .map(sample -> sample.userStack().isEmpty() ? sample.kernelStack() : sample.userStack())
                        .toList())
                .map(function -> "in " + function + (kernel.isEmpty() ? "" : ", " + kernel))
                .or(() -> Optional.of(kernel).filter(found -> !found.isEmpty()));
    }

    /**
     * Returns the innermost function in which a thread was at four of five times or more; empty if there is none.
     *
     * @param stacks one for each time, functions innermost first
     */
    private static Optional<String> common(List<List<String>> stacks) {
        Map<String, Long> counts = stacks.stream()
                .flatMap(stack -> stack.stream().distinct())
                .filter(function -> !function.startsWith("["))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        return stacks.stream()
                .flatMap(List::stream)
                .filter(function -> counts.getOrDefault(function, 0L) >= COMMON * stacks.size())
                .min(Comparator.comparingInt(function -> depth(function, stacks)))
                .map(UserStack::readable);
    }

    /** Two functions of the same stack are as far apart in each of them. */
    private static int depth(String function, List<List<String>> stacks) {
        return stacks.stream().mapToInt(stack -> stack.indexOf(function)).max().orElse(0);
    }

    private static String readable(String function) {
        String ofRust = RustName.readable(function);
        return ofRust.equals(function) ? CppName.withoutParameters(function) : ofRust;
    }

    private static boolean isOfLibrary(String function) {
        String name = function.replaceFirst("^_+", "");
        return LIBRARY.contains(name) || LIBRARY_PREFIXES.stream().anyMatch(name::startsWith);
    }

    /** Returns whether the program pauses for a time of its own choice, as far as its functions tell: by a sleep, or a park of HotSpot. */
    public static boolean isPause(List<String> stack) {
        return stack.stream().anyMatch(function -> PAUSES.stream().anyMatch(function::contains));
    }

    /** Returns whether the program spins for a lock, as far as its functions tell. */
    public static boolean isSpin(String code) {
        return SPIN.matcher(code).find();
    }

    /** Returns whether a Java method parked the thread: HotSpot waits below it. */
    public static boolean isPark(List<String> stack) {
        return stack.stream().anyMatch(function -> PARKS.stream().anyMatch(function::contains));
    }

    /** Returns whether the thread of a Go program has no goroutine: the one that it ran waits elsewhere, unseen by the kernel. */
    public static boolean isWithoutGoroutine(List<String> stack) {
        return stack.stream().anyMatch(function -> GO_IDLE.stream().anyMatch(function::startsWith));
    }

    /** Returns whether HotSpot keeps the thread at a safepoint. */
    public static boolean isAtSafepoint(List<String> stack) {
        return stack.stream().anyMatch(function -> SAFEPOINT.stream().anyMatch(function::contains));
    }
}
