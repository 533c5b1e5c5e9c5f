package org.naklab.lab.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicy;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.naklab.lab.campaign.engine.ShardJob;

/** The Job of a campaign: an index for each shard, whole processors, one shard on a node at a time, and a policy from exit codes. */
final class IndexedJob {
    static final String CAMPAIGN_LABEL = "naklab.org/campaign";

    /** Label and taint of nodes that take no other pods: Kubernetes itself has no nodes of one's own. */
    static final String EXCLUSIVE = "naklab.org/exclusive";

    static final String CONTAINER = "shard";
    private static final String COMPONENT_LABEL = "app.kubernetes.io/component";
    private static final String PROGRAM = "/opt/naklab/naklab";
    /** The volume of the parts that stay, and the secret with PGUSER and PGPASSWORD. */
    private static final String VOLUME = "naklab-runs";

    private static final String SECRET = "naklab-history";
    private static final String RUNS = "/runs";
    /** The user of the image. */
    private static final long USER = 10001;

    private static final String PROCESSORS = "2";
    private static final String MEMORY = "2Gi";
    private static final int KEPT_SECONDS = 7 * 24 * 3600;
    /** A run winds down: it undoes its faults and removes its files. */
    private static final long WIND_DOWN_SECONDS = 70;

    /** The evidence of a seed is some MB. */
    private static final long READER_SECONDS = 600;

    private static final int FINDING = 1;
    private static final int WRONG_USAGE = 64;

    private IndexedJob() {}

    static String name(ShardJob job) {
        return "naklab-" + job.campaign();
    }

    static Job of(ShardJob job, String image) {
        Map<String, String> labels = labels(job);
        return new JobBuilder()
                .withNewMetadata()
                .withName(name(job))
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withCompletionMode("Indexed")
                .withCompletions(job.shards())
                .withParallelism(job.shards())
                // A finding fails its index and no other: a campaign is a census.
                .withBackoffLimitPerIndex(1)
                .withMaxFailedIndexes(job.shards())
                .withPodFailurePolicy(policy())
                .withTtlSecondsAfterFinished(KEPT_SECONDS)
                .withTemplate(pod(job, image, labels))
                .endSpec()
                .build();
    }

    private static Map<String, String> labels(ShardJob job) {
        return Map.of("app.kubernetes.io/name", "naklab", COMPONENT_LABEL, CONTAINER, CAMPAIGN_LABEL, job.campaign());
    }

    /** What no rule names counts: unknown (2) and not available (69) are repeated once. */
    private static PodFailurePolicy policy() {
        return new PodFailurePolicyBuilder()
                .addNewRule()
                .withAction("Ignore")
                .addNewOnPodCondition()
                .withType("DisruptionTarget")
                .withStatus("True")
                .endOnPodCondition()
                .endRule()
                .addNewRule()
                .withAction("FailIndex")
                .withNewOnExitCodes()
                .withContainerName(CONTAINER)
                .withOperator("In")
                .withValues(FINDING)
                .endOnExitCodes()
                .endRule()
                .addNewRule()
                .withAction("FailJob")
                .withNewOnExitCodes()
                .withContainerName(CONTAINER)
                .withOperator("In")
                .withValues(WRONG_USAGE)
                .endOnExitCodes()
                .endRule()
                .build();
    }

    /** Returns a pod that only reads the volume with the evidence, and ends by itself. */
    static Pod reader(ShardJob job, String image) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name(job) + "-reader")
                .addToLabels("app.kubernetes.io/name", "naklab")
                .endMetadata()
                .withNewSpec()
                .withRestartPolicy("Never")
                .withActiveDeadlineSeconds(READER_SECONDS)
                .withAutomountServiceAccountToken(false)
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withRunAsUser(USER)
                .withFsGroup(USER)
                .endSecurityContext()
                .addNewContainer()
                .withName(CONTAINER)
                .withImage(image)
                .withCommand("sleep", String.valueOf(READER_SECONDS))
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .endSecurityContext()
                .addNewVolumeMount()
                .withName(VOLUME)
                .withMountPath(RUNS)
                .withReadOnly(true)
                .endVolumeMount()
                .endContainer()
                .addNewVolume()
                .withName(VOLUME)
                .withNewPersistentVolumeClaim()
                .withClaimName(VOLUME)
                .withReadOnly(true)
                .endPersistentVolumeClaim()
                .endVolume()
                .endSpec()
                .build();
    }

    private static Toleration ofOwnNodes() {
        return new TolerationBuilder()
                .withKey(EXCLUSIVE)
                .withOperator("Exists")
                .withEffect("NoSchedule")
                .build();
    }

    private static PodTemplateSpec pod(ShardJob job, String image, Map<String, String> labels) {
        Map<String, Quantity> whole = Map.of("cpu", new Quantity(PROCESSORS), "memory", new Quantity(MEMORY));
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withRestartPolicy("Never")
                .withAutomountServiceAccountToken(false)
                .withTerminationGracePeriodSeconds(WIND_DOWN_SECONDS)
                .withNodeSelector(job.exclusive() ? Map.of(EXCLUSIVE, "true") : Map.of())
                .withTolerations(job.exclusive() ? List.of(ofOwnNodes()) : List.of())
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withRunAsUser(USER)
                .withFsGroup(USER)
                .endSecurityContext()
                .withNewAffinity()
                .withNewPodAntiAffinity()
                .addNewRequiredDuringSchedulingIgnoredDuringExecution()
                .withTopologyKey("kubernetes.io/hostname")
                .withNewLabelSelector()
                .withMatchLabels(Map.of(COMPONENT_LABEL, CONTAINER))
                .endLabelSelector()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endPodAntiAffinity()
                .endAffinity()
                .addNewContainer()
                .withName(CONTAINER)
                .withImage(image)
                .withArgs(job.indexedCommand(PROGRAM, Path.of(RUNS)))
                .addNewEnvFrom()
                .withNewSecretRef()
                .withName(SECRET)
                .endSecretRef()
                .endEnvFrom()
                .withNewResources()
                .withRequests(whole)
                .withLimits(whole)
                .endResources()
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .endSecurityContext()
                .addNewVolumeMount()
                .withName(VOLUME)
                .withMountPath(RUNS)
                .endVolumeMount()
                .addNewVolumeMount()
                .withName("memory")
                .withMountPath("/dev/shm")
                .endVolumeMount()
                .endContainer()
                .addNewVolume()
                .withName(VOLUME)
                .withNewPersistentVolumeClaim()
                .withClaimName(VOLUME)
                .endPersistentVolumeClaim()
                .endVolume()
                .addNewVolume()
                .withName("memory")
                .withNewEmptyDir()
                .withMedium("Memory")
                .withSizeLimit(new Quantity("1Gi"))
                .endEmptyDir()
                .endVolume()
                .endSpec()
                .build();
    }
}
