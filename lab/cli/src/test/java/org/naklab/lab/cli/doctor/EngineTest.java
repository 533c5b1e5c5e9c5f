package org.naklab.lab.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class EngineTest {
    private static final String INFO = "{\"ServerVersion\":\"28.3.0\",\"OperatingSystem\":\"Docker Desktop\","
            + "\"KernelVersion\":\"6.10.14-linuxkit\",\"CgroupVersion\":\"2\",\"CgroupDriver\":\"cgroupfs\","
            + "\"SecurityOptions\":[\"name=seccomp,profile=unconfined\",\"name=cgroupns\"],\"Warnings\":null}";

    @Test
    void shouldReadWhatTheEngineSaysOfItself() {
        Engine engine = engine(INFO);

        assertThat(engine)
                .isEqualTo(new Engine("28.3.0", "Docker Desktop", "6.10.14-linuxkit", "2", "cgroupfs", false));
        assertThat(engine.controlGroups().ok()).isTrue();
        assertThat(engine.controlGroups().found()).isEqualTo("version 2, driver cgroupfs");
    }

    @Test
    void shouldSayWhatAnEngineInAMachineOfItsOwnLacks() {
        CheckResult kernel = engine(INFO).kernelByRelease("6.1.0-41-amd64");

        assertThat(kernel.ok()).isFalse();
        assertThat(kernel.found())
                .isEqualTo("6.10.14-linuxkit in a separate machine; the lab's kernel is 6.1.0-41-amd64");
        assertThat(kernel.advice()).startsWith("the instruments cannot observe its containers");
        assertThat(engine(INFO).kernelByRelease("6.10.14-linuxkit").ok()).isTrue();
    }

    @Test
    void shouldTellARootlessEngineThatMayLimitNothing() {
        String rootless = INFO.replace("name=cgroupns", "name=rootless")
                .replace("\"CgroupDriver\":\"cgroupfs\"", "\"CgroupDriver\":\"none\"");
        Engine.Answer answer = Engine.answer(new Tool(true, 0, rootless));

        assertThat(answer.finding().found()).isEqualTo("engine 28.3.0, rootless, on Docker Desktop");
        CheckResult groups = answer.engine().orElseThrow().controlGroups();
        assertThat(groups.ok()).isFalse();
        assertThat(groups.advice()).contains("delegated");
    }

    /** Engines before 20.10 knew version 1 only, and did not say so. */
    @Test
    void shouldTakeAnOldEnginesControlGroupsForVersion1() {
        assertThat(engine(INFO.replace("\"CgroupVersion\":\"2\",", "")).cgroupVersion())
                .isEqualTo("1");
    }

    @Test
    void shouldSayWhatIsLostWithoutDocker() {
        Engine.Answer missing = Engine.answer(new Tool(false, -1, "not found"));
        Engine.Answer silent = Engine.answer(new Tool(true, 1, "{\"ServerErrors\":[\"Cannot connect\"]}"));
        Engine.Answer foreign = Engine.answer(new Tool(true, 0, "host: arch: amd64"));

        assertThat(missing.finding().found()).isEqualTo("not found");
        for (Engine.Answer answer : new Engine.Answer[] {silent, foreign}) {
            assertThat(answer.finding().found()).isEqualTo("no engine responds");
        }
        for (Engine.Answer answer : new Engine.Answer[] {missing, silent, foreign}) {
            assertThat(answer.engine()).isEmpty();
            assertThat(answer.finding().ok()).isFalse();
            assertThat(answer.finding().needed()).isFalse();
            assertThat(answer.finding().advice()).contains("fidelity evicted and natural");
        }
    }

    @Test
    void shouldSayHowToHaveTheImage() {
        CheckResult image = Engine.image(Optional.of("there is no image naklab: docker build -t naklab ."));

        assertThat(image.ok()).isFalse();
        assertThat(image.advice()).contains("docker build").contains("run the doctor again");
    }

    private static Engine engine(String json) {
        return Engine.answer(new Tool(true, 0, json)).engine().orElseThrow();
    }
}
