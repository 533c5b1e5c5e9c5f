package org.naklab.lab.kubernetes;

import com.google.auto.service.AutoService;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.naklab.files.FileTrees;
import org.naklab.lab.campaign.engine.Engine;
import org.naklab.lab.campaign.engine.ShardJob;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.UsageException;

/** An Indexed Job of the cluster and the namespace that {@code KUBECONFIG} names. */
@AutoService(Engine.class)
public final class KubernetesEngine implements Engine {
    private static final String INDEX = "batch.kubernetes.io/job-completion-index";

    /** A user waits for the answer. */
    static final int RETRIES = 2;

    /** A node may have to pull the image. */
    private static final int READY_MINUTES = 5;

    private final Supplier<KubernetesClient> clients;

    public KubernetesEngine() {
        this(() -> new KubernetesClientBuilder()
                .editOrNewConfig()
                .withRequestRetryBackoffLimit(RETRIES)
                .endConfig()
                .build());
    }

    KubernetesEngine(Supplier<KubernetesClient> clients) {
        this.clients = clients;
    }

    @Override
    public String name() {
        return "kubernetes";
    }

    @Override
    public List<String> submit(ShardJob job) {
        String image = job.image();
        if (image == null) {
            throw new UsageException(
                    "the engine kubernetes needs --image IMAGE, an image of the lab that the nodes can pull");
        }
        if (job.command().stream().anyMatch(word -> word.startsWith("jdbc:") && word.contains("password="))) {
            throw new UsageException("a manifest must not have a password: put PGUSER and PGPASSWORD into the secret"
                    + " naklab-history, and leave them out of --history");
        }
        Job manifest = IndexedJob.of(job, image);
        if (job.dryRun()) {
            return Serialization.asYaml(manifest).lines().toList();
        }
        return with(client -> {
            // A Job cannot be changed. One that has ended, or was stopped, is replaced.
            if (isRunning(client, job)) {
                throw job.alreadyRunning();
            }
            delete(client, job);
            client.batch().v1().jobs().resource(manifest).create();
            return List.of(job.shards() + " indexes of the Job " + IndexedJob.name(job) + " in the namespace "
                    + client.getNamespace());
        });
    }

    @Override
    public List<String> status(ShardJob job) {
        return with(client -> {
            List<String> lines = new ArrayList<>();
            Job found =
                    client.batch().v1().jobs().withName(IndexedJob.name(job)).get();
            if (found == null) {
                return lines;
            }
            JobStatus status = found.getStatus();
            if (status != null) {
                status.getConditions().stream()
                        .filter(condition -> "True".equals(condition.getStatus()))
                        .forEach(condition -> lines.add("job: " + condition.getType() + ", " + condition.getReason()));
                if (status.getFailedIndexes() != null) {
                    lines.add("failed indexes: " + status.getFailedIndexes());
                }
            }
            client.pods().withLabel(IndexedJob.CAMPAIGN_LABEL, job.campaign()).list().getItems().stream()
                    .filter(pod -> !"Succeeded".equals(pod.getStatus().getPhase()))
                    .map(KubernetesEngine::line)
                    .forEach(lines::add);
            return lines;
        });
    }

    @Override
    public void stop(ShardJob job) {
        with(client -> delete(client, job));
    }

    /** The volume is read by a pod of its own, which goes when the copy is here. */
    @Override
    public void fetch(ShardJob job, Path there, Path here) {
        String image = job.image();
        if (image == null) {
            throw new UsageException("campaign " + job.campaign() + " was submitted without an image");
        }
        with(client -> {
            PodResource reader = client.pods().resource(IndexedJob.reader(job, image));
            reader.create();
            try {
                reader.waitUntilReady(READY_MINUTES, TimeUnit.MINUTES);
                copy(reader, there, here);
            } catch (IOException e) {
                throw new LabException("cannot copy " + there + " to " + here + ": " + e, e);
            } finally {
                reader.delete();
            }
            return here;
        });
    }

    /** The client keeps the whole path of what it copies below the directory that it is given. */
    private static void copy(PodResource reader, Path there, Path here) throws IOException {
        Path parent = Files.createDirectories(here.toAbsolutePath().getParent());
        Path scratch = Files.createTempDirectory(parent, "fetch");
        try {
            reader.inContainer(IndexedJob.CONTAINER).dir(there.toString()).copy(scratch);
            Path copied = scratch.resolve(there.getRoot().relativize(there));
            if (!Files.isDirectory(copied)) {
                throw new UnavailableException(there + " is not on the volume of the campaign");
            }
            Files.move(copied, here);
        } finally {
            FileTrees.delete(scratch);
        }
    }

    private static boolean isRunning(KubernetesClient client, ShardJob job) {
        Job found = client.batch().v1().jobs().withName(IndexedJob.name(job)).get();
        return found != null
                && (found.getStatus() == null
                        || found.getStatus().getConditions().stream()
                                .noneMatch(condition -> "True".equals(condition.getStatus())
                                        && List.of("Complete", "Failed").contains(condition.getType())));
    }

    private static List<?> delete(KubernetesClient client, ShardJob job) {
        return client.batch()
                .v1()
                .jobs()
                .withName(IndexedJob.name(job))
                .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                .delete();
    }

    private static String line(Pod pod) {
        String index = pod.getMetadata().getAnnotations().getOrDefault(INDEX, "?");
        String exit = pod.getStatus().getContainerStatuses().stream()
                .map(ContainerStatus::getState)
                .filter(Objects::nonNull)
                .map(ContainerState::getTerminated)
                .filter(Objects::nonNull)
                .map(ContainerStateTerminated::getExitCode)
                .findFirst()
                .map(code -> ", exit code " + code)
                .orElse("");
        return "index " + index + ": " + pod.getStatus().getPhase() + exit;
    }

    private <T> T with(Function<KubernetesClient, T> use) {
        try (KubernetesClient client = clients.get()) {
            return use.apply(client);
        } catch (KubernetesClientException e) {
            throw new UnavailableException("the cluster refuses or does not answer: " + e.getMessage(), e);
        }
    }
}
