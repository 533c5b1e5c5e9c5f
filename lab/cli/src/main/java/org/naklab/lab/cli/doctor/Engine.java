package org.naklab.lab.cli.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import org.naklab.lab.containers.Image;
import org.naklab.lab.core.Json;

/**
 * The Docker engine, by what it says of itself.
 *
 * @param kernel the release of the kernel that its containers run on
 * @param cgroupDriver {@code none} where it cannot limit anything
 */
record Engine(
        String version,
        String operatingSystem,
        String kernel,
        String cgroupVersion,
        String cgroupDriver,
        boolean isRootless) {
    private static final String NAME = "Docker";
    private static final String LOST =
            "; without it, fidelity evicted and natural, container faults and tests with containers are "
                    + "not available";

    /** The response of an engine, or a check result if no engine responds. */
    record Answer(Optional<Engine> engine, CheckResult finding) {}

    static Answer ask() {
        return answer(Tool.run("docker", "info", "--format", "{{json .}}"));
    }

    static Answer answer(Tool info) {
        if (!info.present()) {
            return new Answer(
                    Optional.empty(),
                    CheckResult.no(NAME, "not found", "apt-get install docker.io (or Docker Desktop)" + LOST));
        }
        Optional<Engine> engine = info.works() ? parse(info.firstLine()) : Optional.empty();
        return new Answer(
                engine,
                engine.map(Engine::finding)
                        .orElseGet(() -> CheckResult.no(
                                NAME,
                                "no engine responds",
                                "start it (systemctl start docker), or join its group" + LOST)));
    }

    private static Optional<Engine> parse(String json) {
        try {
            JsonNode info = Json.parse(json);
            String version = info.path("ServerVersion").asText();
            return version.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Engine(
                            version,
                            info.path("OperatingSystem").asText(),
                            info.path("KernelVersion").asText(),
                            info.path("CgroupVersion").asText("1"),
                            info.path("CgroupDriver").asText(),
                            info.path("SecurityOptions").toString().contains("name=rootless")));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private CheckResult finding() {
        return CheckResult.yes(
                NAME, "engine " + version + (isRootless ? ", rootless" : "") + ", on " + operatingSystem);
    }

    /** Compares kernels by their release only; two machines may have the same one. */
    CheckResult kernelByRelease(String own) {
        return kernel(kernel.equals(own), own);
    }

    CheckResult kernel(boolean isOwn, String own) {
        return CheckResult.of(
                "Docker kernel",
                isOwn,
                isOwn ? "the same as the lab's, " + own : kernel + " in a separate machine; the lab's kernel is " + own,
                "the instruments cannot observe its containers: use an engine on this kernel (Linux: apt-get "
                        + "install docker.io)");
    }

    CheckResult controlGroups() {
        boolean canLimit = !cgroupDriver.equals("none");
        return CheckResult.of(
                "Docker cgroups",
                canLimit,
                "version " + cgroupVersion + (canLimit ? ", driver " + cgroupDriver : ", which the engine may not use"),
                "a rootless engine needs cgroup version 2 and controllers delegated to its user; see docs/how-to/docker.md");
    }

    /** @param refusal why no container can be made of it; empty: nothing hinders */
    static CheckResult image(Optional<String> refusal) {
        return CheckResult.of(
                "Docker image",
                refusal.isEmpty(),
                refusal.isEmpty() ? Image.name() : "no image " + Image.name(),
                refusal.orElse("") + "; then run the doctor again: the other tests need the image");
    }
}
