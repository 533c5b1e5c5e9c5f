package org.naklab.lab.instruments.linking;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Reads the functions that a program needs of others, and those that it has in itself. */
final class ProgramSymbols {
    private static final int HEADER_BYTES = 64;
    private static final int SECTION_BYTES = 64;
    private static final int SYMBOL_BYTES = 24;
    private static final int SHT_SYMTAB = 2;
    private static final int STT_FUNC = 2;
    private static final int STT_GNU_IFUNC = 10;

    private ProgramSymbols() {}

    /** Returns the names of the functions that it needs of others. */
    static List<String> imported(ElfImage image) throws IOException {
        List<String> functions = new ArrayList<>();
        int count = image.isDynamic() ? image.symbolCount() : 0;
        for (int i = 1; i < count; i++) {
            ByteBuffer symbol = ElfImage.buffer(image.at(image.symbolAddress(i), SYMBOL_BYTES));
            if ((symbol.get(4) & 0xf) == STT_FUNC && symbol.getShort(6) == 0) {
                functions.add(image.symbolName(i));
            }
        }
        return functions;
    }

    /** Returns all functions that it defines, by the table that {@code strip} removes; empty if it has none. */
    static List<ExportedFunction> own(ElfImage image) throws IOException {
        ByteBuffer header = ElfImage.buffer(image.bytes(0, HEADER_BYTES));
        int length = header.getShort(58) & 0xffff;
        int count = header.getShort(60) & 0xffff;
        ByteBuffer sections = ElfImage.buffer(image.bytes(header.getLong(40), (long) length * count));
        for (int at = 0; length > 0 && at + SECTION_BYTES <= sections.limit(); at += length) {
            long names = Integer.toUnsignedLong(sections.getInt(at + 40)) * length;
            if (sections.getInt(at + 4) == SHT_SYMTAB && names + SECTION_BYTES <= sections.limit()) {
                return own(image, section(image, sections, at), section(image, sections, (int) names));
            }
        }
        return List.of();
    }

    private static byte[] section(ElfImage image, ByteBuffer sections, int at) throws IOException {
        return image.bytes(sections.getLong(at + 24), sections.getLong(at + 32));
    }

    private static List<ExportedFunction> own(ElfImage image, byte[] table, byte[] names) throws IOException {
        List<ExportedFunction> functions = new ArrayList<>();
        ByteBuffer symbols = ElfImage.buffer(table);
        for (int at = 0; at + SYMBOL_BYTES <= table.length; at += SYMBOL_BYTES) {
            int kind = symbols.get(at + 4) & 0xf;
            if ((kind == STT_FUNC || kind == STT_GNU_IFUNC) && symbols.getShort(at + 6) != 0) {
                long address = symbols.getLong(at + 8);
                functions.add(new ExportedFunction(
                        ElfImage.name(names, symbols.getInt(at)),
                        address,
                        image.offset(address),
                        symbols.getLong(at + 16),
                        kind == STT_GNU_IFUNC));
            }
        }
        return functions;
    }
}
