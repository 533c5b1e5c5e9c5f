package org.naklab.lab.instruments.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SettingProofTest {
    private static final Map<String, String> FLAGS =
            Map.of("UseLargePages", "false", "ParallelGCThreads", "2", "MaxHeapSize", "1073741824");

    private final SettingProof proof = new SettingProof(FLAGS::get, List.of("-Xint", "-Da=b"));

    @Test
    void shouldFindWhatTheJvmHas() {
        proof.flag("-XX:-UseLargePages");
        proof.flag("-XX:ParallelGCThreads=2");
        proof.flag("-XX:MaxHeapSize=1g");
        proof.flag("-Xint");
        assertThat(proof.proof())
                .containsExactly(
                        "UseLargePages is false",
                        "ParallelGCThreads is 2",
                        "MaxHeapSize is 1073741824",
                        "-Xint is an argument of the JVM");
        assertThat(proof.missing()).isEmpty();
    }

    @Test
    void shouldMissWhatTheJvmChangedOrDoesNotHave() {
        proof.flag("-XX:+UseLargePages");
        proof.flag("-XX:MaxHeapSize=2g");
        proof.flag("-XX:+NoSuchFlag");
        proof.flag("-Da=c");
        assertThat(proof.missing())
                .containsExactly(
                        "-XX:+UseLargePages: the JVM has UseLargePages=false",
                        "-XX:MaxHeapSize=2g: the JVM has MaxHeapSize=1073741824",
                        "-XX:+NoSuchFlag: this JVM has no flag NoSuchFlag",
                        "-Da=c is no argument of the JVM");
        assertThat(proof.proof()).isEmpty();
    }

    @Test
    void shouldLookForVariablesAndForPreloadedLibraries() throws IOException {
        Map<String, String> environment = Map.of("A", "1", "LD_PRELOAD", "/lib/a.so:/lib/b.so");
        proof.variable("A", "1", environment, "");
        proof.variable("B", "2", environment, "");
        proof.variable("LD_PRELOAD", "/lib/a.so:/lib/b.so", environment, "7f00 r-xp /usr/lib/a.so\n");
        assertThat(proof.proof()).containsExactly("A=1 is in the environment", "/lib/a.so is mapped");
        assertThat(proof.missing()).containsExactly("B is not in the environment", "/lib/b.so is not mapped");
    }

    @Test
    void shouldAskAnotherJvmForItsFlags() {
        String answer = """
                [Global flags]
                     bool UseSerialGC      = true       {product} {command line}
                    uintx NewSize          := 1363144   {product} {ergonomic}
                """;
        assertThat(JvmFlags.parse(answer))
                .containsExactlyInAnyOrderEntriesOf(Map.of("UseSerialGC", "true", "NewSize", "1363144"));
        Map<String, String> own = JvmFlags.of(ProcessHandle.current().pid());
        assertThat(own).containsEntry("UseSerialGC", "true").hasSizeGreaterThan(100);
    }
}
