package org.naklab.lab.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rights that {@code compose.yaml} gives: few, each with its reason, and to the observer only. */
final class ComposeFileTest {
    private static final Path FILE = Path.of(System.getProperty("naklab.root"), "compose.yaml");

    @Test
    void shouldGiveCapabilitiesToTheObserverOnlyEachWithItsReason() throws IOException {
        String text = Files.readString(FILE);
        String observer = text.substring(text.indexOf("\n  lab:\n"), text.indexOf("\nnetworks:\n"));
        List<String> capabilities = observer.substring(observer.indexOf("cap_add:"), observer.indexOf("mem_limit:"))
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("- "))
                .toList();

        assertThat(text.split("cap_add:", -1)).hasSize(2);
        assertThat(text).contains("cap_drop: [ALL]").doesNotContain("privileged:");
        assertThat(capabilities).hasSize(5).allMatch(line -> line.matches("- \\S+ # .+"));
    }
}
