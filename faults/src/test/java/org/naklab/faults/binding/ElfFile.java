package org.naklab.faults.binding;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** As much of a little-endian 64-bit ELF shared object as tells how it binds (System V ABI, chapter 5). */
final class ElfFile {
    static final long DT_PLTRELSZ = 2;
    static final long DT_STRTAB = 5;
    static final long DT_SYMTAB = 6;
    static final long DT_JMPREL = 23;
    static final long DT_BIND_NOW = 24;
    static final long DT_FLAGS = 30;
    static final long DT_FLAGS_1 = 0x6ffffffbL;
    static final long DF_BIND_NOW = 0x8;
    static final long DF_1_NOW = 0x1;
    private static final int PT_LOAD = 1;
    private static final int PT_DYNAMIC = 2;
    private static final int R_X86_64_JUMP_SLOT = 7;
    private static final int R_AARCH64_JUMP_SLOT = 1026;
    private static final int RELOCATION_BYTES = 24;
    private static final int SYMBOL_BYTES = 24;

    private final byte[] bytes;
    private final ByteBuffer image;
    private final int programHeaders;
    private final int programHeaderBytes;
    private final int programHeaderCount;

    private ElfFile(byte[] bytes) {
        this.bytes = bytes;
        image = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        programHeaders = Math.toIntExact(image.getLong(32));
        programHeaderBytes = image.getShort(54);
        programHeaderCount = image.getShort(56);
    }

    static ElfFile read(Path path) throws IOException {
        return new ElfFile(Files.readAllBytes(path));
    }

    /** Value of a tag of the dynamic section. */
    OptionalLong dynamic(long tag) {
        for (int i = 0; i < programHeaderCount; i++) {
            int header = programHeaders + i * programHeaderBytes;
            if (image.getInt(header) == PT_DYNAMIC) {
                int begin = Math.toIntExact(image.getLong(header + 8));
                for (int entry = begin; image.getLong(entry) != 0; entry += 16) {
                    if (image.getLong(entry) == tag) {
                        return OptionalLong.of(image.getLong(entry + 8));
                    }
                }
            }
        }
        return OptionalLong.empty();
    }

    /** The functions that are called through the procedure linkage table. */
    List<String> jumpSlots() {
        int relocations = fileOffset(dynamic(DT_JMPREL).orElseThrow());
        int symbols = fileOffset(dynamic(DT_SYMTAB).orElseThrow());
        int strings = fileOffset(dynamic(DT_STRTAB).orElseThrow());
        long sizeBytes = dynamic(DT_PLTRELSZ).orElseThrow();
        List<String> names = new ArrayList<>();
        for (int offset = 0; offset < sizeBytes; offset += RELOCATION_BYTES) {
            long info = image.getLong(relocations + offset + 8);
            int type = (int) info;
            if (type == R_X86_64_JUMP_SLOT || type == R_AARCH64_JUMP_SLOT) {
                int symbol = symbols + (int) (info >>> 32) * SYMBOL_BYTES;
                names.add(stringAt(strings + image.getInt(symbol)));
            }
        }
        return names;
    }

    private String stringAt(int offset) {
        int end = offset;
        while (bytes[end] != 0) {
            end++;
        }
        return new String(bytes, offset, end - offset, StandardCharsets.US_ASCII);
    }

    private int fileOffset(long address) {
        for (int i = 0; i < programHeaderCount; i++) {
            int header = programHeaders + i * programHeaderBytes;
            long begin = image.getLong(header + 16);
            if (image.getInt(header) == PT_LOAD && address >= begin && address < begin + image.getLong(header + 32)) {
                return Math.toIntExact(address - begin + image.getLong(header + 8));
            }
        }
        throw new IllegalStateException("no segment holds address " + address);
    }
}
