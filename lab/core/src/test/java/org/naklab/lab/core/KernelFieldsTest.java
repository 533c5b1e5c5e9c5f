package org.naklab.lab.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(10)
final class KernelFieldsTest {
    @TempDir
    private Path directory;

    @Test
    void shouldReadValuesAndFiguresInKilobytes() throws Exception {
        Path file = directory.resolve("status");
        Files.writeString(file, "Name:\ta:b\nUid:\t1\t2\t3\t4\nRssAnon:\t    12 kB\nnot a field\n");

        KernelFields fields = KernelFields.read(file);

        assertThat(fields.text("Name")).isEqualTo("a:b");
        assertThat(fields.text("Uid")).isEqualTo("1\t2\t3\t4");
        assertThat(fields.bytes("RssAnon")).isEqualTo(12_288);
        assertThat(fields.text("VmLck")).isEmpty();
        assertThat(fields.bytes("VmLck")).isZero();
        assertThat(KernelFields.read(KernelFields.OWN_STATUS).bytes("VmRSS")).isPositive();
    }
}
