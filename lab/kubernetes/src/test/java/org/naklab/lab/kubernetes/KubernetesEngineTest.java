package org.naklab.lab.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobConditionBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatusBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.server.mock.OutputStreamMessage;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.campaign.engine.Engines;
import org.naklab.lab.campaign.engine.ShardJob;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.UsageException;

/** The requests of the engine, against fabric8's server, which keeps objects and runs no controller: the test is the controller. */
@Timeout(60)
@EnableKubernetesMockClient(crud = true)
final class KubernetesEngineTest {
    private static final String JOB = "naklab-night";

    @SuppressWarnings("NullAway.Init")
    KubernetesMockServer server;

    @SuppressWarnings("NullAway.Init")
    KubernetesClient client;

    private KubernetesEngine engine = new KubernetesEngine();

    @BeforeEach
    void connect() {
        Config config = client.getConfiguration();
        engine = new KubernetesEngine(() -> new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(config)
                        .withRequestRetryBackoffLimit(KubernetesEngine.RETRIES)
                        .build())
                .build());
    }

    private static ShardJob job(boolean isDry, @Nullable String image, String history) {
        return job(isDry, image, history, false);
    }

    private static ShardJob job(boolean isDry, @Nullable String image, String history, boolean isExclusive) {
        return new ShardJob(
                "night",
                20,
                "/home/user/naklab",
                List.of("campaign", "run", "--name", "night", "--history", history, "--", "--duration", "5"),
                Path.of("/home/user/runs"),
                isExclusive,
                isDry,
                image);
    }

    private static ShardJob job() {
        return job(false, "registry/naklab:1", "jdbc:postgresql://naklab-postgres/naklab");
    }

    private Job found() {
        return client.batch().v1().jobs().withName(JOB).get();
    }

    /** Does what the Job's controller does. */
    private void setStatus(JobStatusBuilder status) {
        Job job = found();
        job.setStatus(status.build());
        client.batch().v1().jobs().resource(job).updateStatus();
    }

    private static JobStatusBuilder ended(String type, String reason) {
        return new JobStatusBuilder()
                .withConditions(new JobConditionBuilder()
                        .withType(type)
                        .withStatus("True")
                        .withReason(reason)
                        .build());
    }

    private void addPod(int index, String phase, int exitCode) {
        client.pods()
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withName("pod-" + index + "-" + exitCode)
                        .addToLabels(IndexedJob.CAMPAIGN_LABEL, "night")
                        .addToAnnotations("batch.kubernetes.io/job-completion-index", String.valueOf(index))
                        .endMetadata()
                        .withNewStatus()
                        .withPhase(phase)
                        .addNewContainerStatus()
                        .withName("shard")
                        .withNewState()
                        .withNewTerminated()
                        .withExitCode(exitCode)
                        .endTerminated()
                        .endState()
                        .endContainerStatus()
                        .endStatus()
                        .build())
                .create();
    }

    @Test
    void shouldSubmitAnIndexedJobWithAPolicyFromExitCodes() {
        assertThat(engine.submit(job())).singleElement().asString().contains("20 indexes", JOB);

        Job job = found();
        assertThat(job.getSpec().getCompletionMode()).isEqualTo("Indexed");
        assertThat(job.getSpec().getCompletions()).isEqualTo(20);
        assertThat(job.getSpec().getBackoffLimitPerIndex()).isEqualTo(1);
        assertThat(job.getSpec().getMaxFailedIndexes()).as("a census").isEqualTo(20);
        assertThat(job.getSpec().getPodFailurePolicy().getRules())
                .extracting(
                        rule -> rule.getAction(),
                        rule -> rule.getOnExitCodes() == null
                                ? List.of()
                                : rule.getOnExitCodes().getValues())
                .containsExactly(
                        tuple("Ignore", List.of()), tuple("FailIndex", List.of(1)), tuple("FailJob", List.of(64)));
        assertThat(job.getSpec().getTemplate().getSpec().getContainers())
                .singleElement()
                .satisfies(container -> {
                    assertThat(container.getArgs())
                            .containsExactly(
                                    "/opt/naklab/naklab",
                                    "campaign",
                                    "run",
                                    "--name",
                                    "night",
                                    "--history",
                                    "jdbc:postgresql://naklab-postgres/naklab",
                                    "--runs",
                                    "/runs",
                                    "--shard",
                                    "20",
                                    "--",
                                    "--duration",
                                    "5");
                    assertThat(container.getResources().getLimits())
                            .as("whole processors, and the guaranteed class")
                            .isEqualTo(container.getResources().getRequests());
                });
    }

    /** Pods of others on its node would make its figures of latency worthless. */
    @Test
    void shouldRunOnNodesOfItsOwnOnlyIfItIsExclusive() {
        engine.submit(job(false, "naklab:1", "jdbc:postgresql://db/naklab", true));
        PodSpec exclusive = found().getSpec().getTemplate().getSpec();
        assertThat(exclusive.getNodeSelector()).containsOnly(Map.entry(IndexedJob.EXCLUSIVE, "true"));
        assertThat(exclusive.getTolerations())
                .extracting(Toleration::getKey, Toleration::getEffect)
                .containsExactly(tuple(IndexedJob.EXCLUSIVE, "NoSchedule"));
        engine.stop(job());
        engine.submit(job());
        PodSpec shared = found().getSpec().getTemplate().getSpec();
        assertThat(shared.getNodeSelector()).isNullOrEmpty();
        assertThat(shared.getTolerations()).isEmpty();
    }

    @Test
    void shouldWriteAManifestOfThePublishedSchema() {
        String yaml = String.join("\n", engine.submit(job(true, "naklab:1", "jdbc:postgresql://db/naklab")));
        Job job = Serialization.unmarshal(yaml, Job.class);
        assertThat(Strictness.unknownKeys(job)).isEmpty();
        assertThat(job).isEqualTo(IndexedJob.of(job(true, "naklab:1", "jdbc:postgresql://db/naklab"), "naklab:1"));
        assertThat(found()).as("a dry run submits nothing").isNull();
        Job misspelt = Serialization.unmarshal(yaml.replace("completionMode", "completionMod"), Job.class);
        assertThat(Strictness.unknownKeys(misspelt)).containsExactly("JobSpec.completionMod");
    }

    @Test
    void shouldTellTheLifeOfTheJob() {
        engine.submit(job());
        assertThat(engine.status(job())).isEmpty();

        addPod(3, "Failed", 1);
        addPod(4, "Failed", 2);
        addPod(5, "Failed", 143);
        setStatus(new JobStatusBuilder().withFailedIndexes("3"));
        assertThat(engine.status(job()))
                .containsExactlyInAnyOrder(
                        "failed indexes: 3",
                        "index 3: Failed, exit code 1",
                        "index 4: Failed, exit code 2",
                        "index 5: Failed, exit code 143");
        assertThatThrownBy(() -> engine.submit(job()))
                .as("it is running")
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("naklab campaign stop night");

        setStatus(ended("Failed", "PodFailurePolicy"));
        assertThat(engine.status(job())).contains("job: Failed, PodFailurePolicy");
        engine.submit(job());
        assertThat(engine.status(job()))
                .as("a Job that ended is replaced")
                .doesNotContain("job: Failed, PodFailurePolicy");
    }

    @Test
    void shouldDeleteTheJobWhenItIsStopped() {
        engine.submit(job());
        engine.stop(job());
        assertThat(found()).isNull();
        engine.stop(job());
    }

    @Test
    void shouldRefuseAPasswordInAManifest() {
        assertThatThrownBy(() -> engine.submit(job(true, "naklab:1", "jdbc:postgresql://db/naklab?password=secret")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("naklab-history")
                .hasMessageNotContaining("=secret");
    }

    @Test
    void shouldNeedAnImage() {
        assertThatThrownBy(() -> engine.submit(job(false, null, "jdbc:postgresql://db/naklab")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--image");
    }

    @Test
    void shouldTellThatNoClusterAnswers() {
        server.shutdown();
        assertThatThrownBy(() -> engine.status(job())).isInstanceOf(UnavailableException.class);
    }

    @Test
    void shouldBeFoundByTheNameOfItsDirectoryOnly() {
        assertThatThrownBy(() -> Engines.named("kubernetes", Path.of("/nonexistent")))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("lab/kubernetes");
    }

    /** Returns what the program tar of a container sends of a directory: its path without the first slash. */
    private static byte[] tar(Path directory) throws IOException, InterruptedException {
        Process tar = new ProcessBuilder("tar", "-cf", "-", directory.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (InputStream out = tar.getInputStream()) {
            return out.readAllBytes();
        } finally {
            tar.waitFor();
        }
    }

    /** Does what the kubelet does. */
    private void beReady() {
        Pod pod =
                client.pods().withName("naklab-night-reader").waitUntilCondition(Objects::nonNull, 1, TimeUnit.MINUTES);
        pod.setStatus(new PodStatusBuilder()
                .withPhase("Running")
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .build());
        client.pods().resource(pod).updateStatus();
    }

    @Test
    void shouldFetchEvidenceFromTheVolume(@TempDir Path directory) throws Exception {
        Path there = directory.resolve("campaigns/night/baseline-none-7/baseline/run");
        Files.createDirectories(there);
        Files.writeString(there.resolve("run.json"), "{}");
        String tar = URLEncoder.encode("tar -cf - '" + there + "'", StandardCharsets.UTF_8)
                .replace("+", "%20");
        server.expect()
                .get()
                .withPath("/api/v1/namespaces/test/pods/naklab-night-reader/exec?command=sh&command=-c&command=" + tar
                        + "&container=shard&stdout=true")
                .andUpgradeToWebSocket()
                .open(new OutputStreamMessage(new String(tar(there), StandardCharsets.US_ASCII)))
                .done()
                .always();
        CompletableFuture<Void> kubelet = CompletableFuture.runAsync(this::beReady);
        Path here = directory.resolve("here");
        engine.fetch(job(), there, here);
        kubelet.join();
        assertThat(here.resolve("run.json")).hasContent("{}");
        assertThat(client.pods().list().getItems()).as("the reader is gone").isEmpty();
    }

    @Test
    void shouldSayThatTheVolumeDoesNotHaveIt(@TempDir Path directory) {
        server.expect()
                .get()
                .withPath("/api/v1/namespaces/test/pods/naklab-night-reader/exec?command=sh&command=-c&command="
                        + "tar%20-cf%20-%20%27%2Fruns%2Fgone%27&container=shard&stdout=true")
                .andUpgradeToWebSocket()
                .open(new OutputStreamMessage(""))
                .done()
                .always();
        CompletableFuture<Void> kubelet = CompletableFuture.runAsync(this::beReady);
        Path here = directory.resolve("here");
        assertThatThrownBy(() -> engine.fetch(job(), Path.of("/runs/gone"), here))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("/runs/gone is not on the volume");
        kubelet.join();
        assertThat(directory).isEmptyDirectory();
        assertThat(client.pods().list().getItems()).as("the reader is gone").isEmpty();
    }
}
