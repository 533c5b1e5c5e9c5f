package org.naklab.faults.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.Commands;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultProof;
import org.naklab.faults.ProofLog;
import org.naklab.faults.TargetProcess;
import org.naklab.faults.guard.Guard;

/**
 * Pins the thread to the core it is on, so that it cannot get out of the way, and burns that core: or, if the lab's own threads may not use it, those that
 * they may use, like any program that does not choose its core. The burners end by themselves when their time is up or the lab is gone, whoever may still be there to end them.
 */
final class CpuContention implements Fault {

    private static final int STAT_USER_TICKS = 11;
    private static final int STAT_SYSTEM_TICKS = 12;
    private static final Pattern STAT_LINE = Pattern.compile("\\d+ \\(.*\\) [A-Z]( -?\\d+){12}");
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long START_TIMEOUT_MS = 200;

    private final CpuContentionFault.Parameters parameters;
    private final TargetProcess target;
    private final Guard guard;
    private final long forMs;
    private final ProofLog log = new ProofLog();
    private final List<Process> burners = new ArrayList<>();
    private final List<Guard.Promise> promises = new ArrayList<>();
    private @Nullable ThreadStatistics thread;
    private String formerCpus = "";
    private long beginNs;
    private long beginRunDelayNs;

    CpuContention(CpuContentionFault.Parameters parameters, TargetProcess target, Guard guard, long forMs) {
        this.parameters = parameters;
        this.target = target;
        this.guard = guard;
        this.forMs = forMs;
    }

    @Override
    public void arm() {
        ThreadStatistics victim = ThreadStatistics.of(target, parameters.thread());
        int core = victim.lastCpu();
        String cpu = Integer.toString(core);
        formerCpus = victim.allowedCpus();
        promises.add(guard.toRestoreAffinity(target, victim.threadId(), formerCpus));
        thread = victim;
        Commands.run(guard.act(victim.toRestrict(cpu)));
        beginRunDelayNs = victim.runDelayNs();
        beginNs = System.nanoTime();
        List<String> onCore = ThreadStatistics.ofCaller().mayRunOn(core) ? List.of("taskset", "-c", cpu) : List.of();
        for (int i = 0; i < parameters.burners(); i++) {
            burn(onCore);
        }
    }

    private void burn(List<String> onCore) {
        List<String> command = new ArrayList<>(onCore);
        if (parameters.realTime()) {
            command.addAll(List.of("chrt", "-f", "1"));
        }
        long seconds = TimeUnit.MILLISECONDS.toSeconds(forMs) + 1;
        command.addAll(List.of("sh", "-c", script(seconds), "naklab-burner"));
        Process burner = Commands.start(command, ProcessBuilder.Redirect.PIPE);
        burners.add(burner);
        try {
            if (parameters.realTime() && burner.waitFor(START_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
                if (burner.exitValue() != 0) {
                    throw new FaultException("real-time priority was refused: it needs CAP_SYS_NICE");
                }
                // Its time was up before this thread had a CPU again.
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        promises.add(guard.toKill(TargetProcess.of(burner.pid())));
    }

    /** Looks at the clock and for its parent about ten times a second, so that next to all its time is burnt by itself. */
    private static String script(long seconds) {
        return "end=$(( $(date +%s) + " + seconds + " ))\n"
                + "while [ \"$(date +%s)\" -lt $end ]; do\n"
                + "  read -r _ _ _ parent _ </proc/self/stat && [ \"$parent\" = "
                + ProcessHandle.current().pid() + " ] || exit\n"
                + "  i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done\n"
                + "done\n"
                + "cat /proc/$$/stat";
    }

    @Override
    public void disarm() {
        if (thread == null) {
            return;
        }
        log.set("burntNs", burntNs());
        burners.forEach(Process::destroyForcibly);
        burners.forEach(CpuContention::awaitEnd);
        burners.clear();
        if (target.isAlive() && thread.isAlive()) {
            measure(thread);
            Commands.run(thread.toRestrict(formerCpus));
        }
        thread = null;
        promises.forEach(Guard.Promise::kept);
        promises.clear();
    }

    private static void awaitEnd(Process burner) {
        try {
            if (!burner.waitFor(Commands.KILLED_TIMEOUT_S, TimeUnit.SECONDS)) {
                throw new FaultException("a burner does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the CPU time of all burners. */
    private long burntNs() {
        return burners.stream().mapToLong(CpuContention::burntNs).sum();
    }

    /** A burner whose time was up, because the lab itself got no CPU, has printed how much it used. */
    private static long burntNs(Process burner) {
        Optional<Duration> used = burner.info().totalCpuDuration();
        if (used.isPresent() && burner.isAlive()) {
            return used.get().toNanos();
        }
        try {
            return statNs(new String(burner.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new FaultException("the output of a burner cannot be read: " + e.getMessage(), e);
        }
    }

    /** Returns user and system time of a line of {@code /proc/PID/stat}, in ticks of 10 ms there; 0 if there is no line. */
    static long statNs(String line) {
        if (!STAT_LINE.matcher(line).lookingAt()) {
            return 0;
        }
        String[] fields = ThreadStatistics.statFields(line);
        return (Long.parseLong(fields[STAT_USER_TICKS]) + Long.parseLong(fields[STAT_SYSTEM_TICKS])) * TICK_NS;
    }

    private void measure(ThreadStatistics victim) {
        long runDelayNs = victim.runDelayNs() - beginRunDelayNs;
        log.set("runDelayNs", runDelayNs);
        if (runDelayNs >= parameters.minRunDelayNs() && log.firings() == 0) {
            log.fired(beginNs, System.nanoTime(), parameters.thread() + " waited for its core");
        }
    }

    @Override
    public FaultProof proof() {
        if (thread != null && target.isAlive() && thread.isAlive()) {
            measure(thread);
        }
        return log.proof(
                parameters.thread() + " was ready to run, and another process ran",
                parameters.thread() + " hardly had to wait for its core");
    }
}
