package org.naklab.lab.instruments.kernel.symbols;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
        file.put(0x800, NAMES.getBytes(StandardCharsets.US_ASCII));

        ElfSections sections = ElfSections.read(Files.write(directory.resolve("program"), file.array()))
                .orElseThrow();

        assertThat(sections.at(0x110, true)).isEqualTo(".data");
        assertThat(sections.at(0x130, true)).isEqualTo(".bss");
        assertThat(sections.at(0x400, true)).isEmpty();

        assertThat(sections.at(0x110, false)).isEqualTo(".data");
        assertThat(sections.at(0x130, false))
                .as("of a file that is mapped as a whole, to be read")
                .isEqualTo(".debug_aranges");
    }

    private static void section(ByteBuffer file, int number, int name, int type, long flags, long offset, long length) {
        int at = HEADERS_AT + number * 64;
        file.putInt(at, name).putInt(at + 4, type).putLong(at + 8, flags);
        file.putLong(at + 0x18, offset).putLong(at + 0x20, length);
    }
}
