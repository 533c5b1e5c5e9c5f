package org.naklab.lab.instruments.kernel.symbols;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class ElfSectionsTest {
    private static final int PROGBITS = 1;
    private static final int NOBITS = 8;
    private static final int ALLOCATED = 2;
    private static final int HEADERS_AT = 0x1000;
    private static final String NAMES = "\0.data\0.bss\0.debug_aranges\0";

    /** The page that ends the data of a program is mapped from the file as a whole: the offsets of its end are those of sections that are not loaded. */
    @Test
    void shouldNameTheSectionThatIsMapped(@TempDir Path directory) throws IOException {
        ElfSections sections = ElfSections.read(Files.write(directory.resolve("program"), bytes(program())))
                .orElseThrow();

        assertThat(sections.at(0x110, true)).isEqualTo(".data");
        assertThat(sections.at(0x130, true)).isEqualTo(".bss");
        assertThat(sections.at(0x400, true)).isEmpty();

        assertThat(sections.at(0x110, false)).isEqualTo(".data");
        assertThat(sections.at(0x130, false))
                .as("of a file that is mapped as a whole, to be read")
                .isEqualTo(".debug_aranges");
    }

    /** The process that is watched has chosen the file. */
    @ParameterizedTest
    @ValueSource(longs = {0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE})
    void shouldReadAnyFieldOfAHeader(long value, @TempDir Path directory) throws IOException {
        assertRead(directory, 0x28, program().putLong(0x28, value));
        for (int at : List.of(0x3a, 0x3c, 0x3e)) {
            assertRead(directory, at, program().putShort(at, (short) value));
        }
        for (int section = 1; section < 5; section++) {
            for (int field : List.of(0, 4)) {
                int at = HEADERS_AT + section * 64 + field;
                assertRead(directory, at, program().putInt(at, (int) value));
            }
            for (int field : List.of(8, 0x18, 0x20)) {
                int at = HEADERS_AT + section * 64 + field;
                assertRead(directory, at, program().putLong(at, value));
            }
        }
    }

    private static void assertRead(Path directory, int field, ByteBuffer program) throws IOException {
        Path file = Files.write(directory.resolve("program"), bytes(program));
        assertThatCode(() -> ElfSections.read(file).ifPresent(sections -> assertThat(sections.at(0x110, true))
                        .isNotNull()))
                .as("field 0x%x", field)
                .doesNotThrowAnyException();
    }

    private static byte[] bytes(ByteBuffer file) {
        byte[] bytes = new byte[file.capacity()];
        file.get(0, bytes);
        return bytes;
    }

    private static ByteBuffer program() {
        ByteBuffer file = ByteBuffer.allocate(HEADERS_AT + 5 * 64).order(ByteOrder.LITTLE_ENDIAN);
        file.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1});
        file.putLong(0x28, HEADERS_AT)
                .putShort(0x3a, (short) 64)
                .putShort(0x3c, (short) 5)
                .putShort(0x3e, (short) 4);
        section(file, 1, 1, PROGBITS, ALLOCATED, 0x100, 0x20);
        section(file, 2, NAMES.indexOf(".debug"), PROGBITS, 0, 0x120, 0x400);
        section(file, 3, NAMES.indexOf(".bss"), NOBITS, ALLOCATED, 0x120, 0x200);
        section(file, 4, 0, 3, 0, 0x800, NAMES.length());
        return file.put(0x800, NAMES.getBytes(StandardCharsets.US_ASCII));
    }

    private static void section(ByteBuffer file, int number, int name, int type, long flags, long offset, long length) {
        int at = HEADERS_AT + number * 64;
        file.putInt(at, name).putInt(at + 4, type).putLong(at + 8, flags);
        file.putLong(at + 0x18, offset).putLong(at + 0x20, length);
    }
}
