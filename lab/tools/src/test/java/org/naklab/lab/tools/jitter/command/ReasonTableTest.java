package org.naklab.lab.tools.jitter.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.process.Installation;
import org.naklab.lab.tools.jitter.reason.Reason;

/** Compares the table of reasons in the documentation with the reasons. */
@Timeout(60)
class ReasonTableTest {
    @Test
    void shouldListEachReasonInTheOrderInWhichItWins() throws IOException {
        String page = Files.readString(Installation.current().root().resolve("docs/reference/jitter.md"));
        assertThat(page.lines()
                        .filter(line -> line.matches("\\| `[a-z-]+` \\| .*"))
                        .limit(Reason.values().length))
                .containsExactlyElementsOf(Arrays.stream(Reason.values())
                        .map(reason -> "| `" + reason.label() + "` | " + reason.meaning() + " |")
                        .toList());
    }
}
