package org.naklab.lab.campaign.engine;

import com.google.auto.service.AutoService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;

/** Processes of this machine, which go on when this one has ended: one shard at a time for each two processors. */
@AutoService(Engine.class)
public final class LocalEngine implements Engine {
    private static final int PROCESSORS_FOR_A_RUN = 2;
    private static final String STATE = "local-engine.json";

    /** As other engines: a shard without a verdict is repeated once; a wrong command ends all. xargs ends at 255. */
    private static final String SCRIPT = """
            export JOB_COMPLETION_INDEX=$1
            log=$2/shard-$(($1 + 1)).log
            shift 2
            "$@" >>"$log" 2>&1
            code=$?
            case $code in 2 | 69) "$@" >>"$log" 2>&1; code=$? ;; esac
            if [ "$code" = 64 ]; then exit 255; fi
            exit "$code"
            """;

    private static final String QUEUE = """
            shards=$1 parallel=$2 script=$3
            shift 3
            i=0
            while [ "$i" -lt "$shards" ]; do echo "$i"; i=$((i + 1)); done |
                xargs -P "$parallel" -I '{}' sh -c "$script" shard '{}' "$@"
            """;

    /** The process that starts the shards; a later process with its id began at another time. */
    private record State(long pid, long startedMs) {}

    @Override
    public String name() {
        return "local";
    }

    /** Returns how many shards run at once. */
    public static int parallel() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / PROCESSORS_FOR_A_RUN);
    }

    @Override
    public List<String> submit(ShardJob job) {
        List<String> command = new ArrayList<>(List.of(
                "setsid",
                "sh",
                "-c",
                QUEUE,
                "campaign",
                String.valueOf(job.shards()),
                String.valueOf(parallel()),
                SCRIPT,
                job.directory().toString()));
        command.addAll(job.indexedCommand());
        if (job.dryRun()) {
            return List.of(
                    job.shards() + " shards, " + parallel() + " at a time, logs in " + job.directory(),
                    job.shellCommand());
        }
        if (running(job).isPresent()) {
            throw job.alreadyRunning();
        }
        try {
            Files.createDirectories(job.directory());
            Process process = new ProcessBuilder(command)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectErrorStream(true)
                    .redirectOutput(job.directory().resolve("engine.log").toFile())
                    .start();
            Json.write(job.directory().resolve(STATE), new State(process.pid(), startedMs(process.toHandle())));
        } catch (IOException e) {
            throw new LabException("cannot start the shards of " + job.campaign() + ": " + e, e);
        }
        return List.of(job.shards() + " shards in processes of this machine, " + parallel() + " at a time; logs in "
                + job.directory());
    }

    @Override
    public List<String> status(ShardJob job) {
        return running(job)
                .map(process -> List.of("running, as process " + process.pid()))
                .orElse(List.of());
    }

    @Override
    public void stop(ShardJob job) {
        running(job).ifPresent(queue -> {
            List<ProcessHandle> processes = queue.descendants().toList();
            queue.destroy();
            processes.forEach(ProcessHandle::destroy);
        });
    }

    private static Optional<ProcessHandle> running(ShardJob job) {
        Path file = job.directory().resolve(STATE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        State state = Json.read(file, State.class);
        return ProcessHandle.of(state.pid()).filter(process -> startedMs(process) == state.startedMs());
    }

    private static long startedMs(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }
}
