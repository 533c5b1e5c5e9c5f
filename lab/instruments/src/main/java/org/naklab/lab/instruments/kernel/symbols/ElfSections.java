package org.naklab.lab.instruments.kernel.symbols;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.naklab.lab.instruments.linux.ForeignFile;

/**
 * Reads the section headers of a 64-bit ELF file.
 *
 * <pre>
 * file header     0x28 offset of section headers (8)  0x3a their length (2)  0x3c their number (2)  0x3e index of their names (2)
 * section header  0x00 name (4)  0x04 type (4)  0x08 flags (8)  0x18 offset in the file (8)  0x20 length (8)
 * </pre>
 */
public final class ElfSections {
    private static final int MAGIC = 0x7f454c46;
    private static final int CLASS_64 = 2;
    private static final int LITTLE_ENDIAN = 1;
    private static final int HEADER_LENGTH = 64;
    private static final int SECTION_LENGTH = 64;
    private static final int NO_BITS = 8;
    private static final long ALLOCATED = 2;
    private static final int MAX_NAMES = 1 << 20;

    private final List<Section> sections;

    /** Tells where the content of a section is, when a process has the file in its memory. */
    private enum Place {
        /** In the memory of each process that runs the file, as it is in the file. */
        LOADED,
        /** In that memory, and nowhere in the file: it begins as zeros. */
        ZEROED,
        /** In the file only. */
        UNLOADED
    }

    private record Section(String name, Place place, long offset, long length) {
        boolean contains(long fileOffset) {
            return fileOffset >= offset && fileOffset - offset < length;
        }
    }

    private ElfSections(List<Section> sections) {
        this.sections = sections;
    }

    /**
     * Reads a file; one that is not ELF, or has no section headers, has no sections.
     *
     * @return none if it is gone, may not be read, or is damaged
     */
    public static Optional<ElfSections> read(Path file) {
        try (FileChannel channel = ForeignFile.openMapped(file)) {
            return Optional.of(read(channel));
        } catch (IOException goneOrNotPermittedOrDamaged) {
            return Optional.empty();
        }
    }

    private static ElfSections read(FileChannel channel) throws IOException {
        ByteBuffer header = read(channel, 0, HEADER_LENGTH);
        if (header.order(ByteOrder.BIG_ENDIAN).getInt(0) != MAGIC
                || header.get(4) != CLASS_64
                || header.get(5) != LITTLE_ENDIAN) {
            return new ElfSections(List.of());
        }
        header.order(ByteOrder.LITTLE_ENDIAN);
        int length = Short.toUnsignedInt(header.getShort(0x3a));
        int count = Short.toUnsignedInt(header.getShort(0x3c));
        int namesIndex = Short.toUnsignedInt(header.getShort(0x3e));
        if (length != SECTION_LENGTH || namesIndex >= count) {
            return new ElfSections(List.of());
        }
        ByteBuffer table = read(channel, header.getLong(0x28), (long) length * count);
        int namesAt = namesIndex * length;
        ByteBuffer names =
                read(channel, table.getLong(namesAt + 0x18), Math.min(table.getLong(namesAt + 0x20), MAX_NAMES));
        List<Section> sections = new ArrayList<>();
        for (int at = 0; at < table.limit(); at += length) {
            boolean isAllocated = (table.getLong(at + 8) & ALLOCATED) != 0;
            boolean isInFile = table.getInt(at + 4) != NO_BITS;
            long offset = table.getLong(at + 0x18);
            if ((isAllocated || isInFile) && offset >= 0) {
                Place place = isAllocated ? (isInFile ? Place.LOADED : Place.ZEROED) : Place.UNLOADED;
                sections.add(new Section(text(names, table.getInt(at)), place, offset, table.getLong(at + 0x20)));
            }
        }
        return new ElfSections(sections);
    }

    /**
     * Returns the name of the section that covers an offset in the file; empty if none does. The page that ends the data of a program begins {@code .bss}, whose
     * place in the file is that of what is not loaded, such as the debug sections: they are meant where the file is mapped to be read only.
     *
     * @param isWritable whether the offset is mapped with the right to write, as data are
     */
    public String at(long fileOffset, boolean isWritable) {
        return at(fileOffset, Place.LOADED)
                .or(() -> at(fileOffset, isWritable ? Place.ZEROED : Place.UNLOADED))
                .orElse("");
    }

    private Optional<String> at(long fileOffset, Place place) {
        return sections.stream()
                .filter(section -> section.place() == place && section.contains(fileOffset))
                .map(Section::name)
                .findFirst();
    }

    /** @throws IOException the file does not have all of that */
    private static ByteBuffer read(FileChannel channel, long offset, long length) throws IOException {
        if (offset < 0 || length < 0 || offset > channel.size() - length) {
            throw new IOException("the file has no " + length + " bytes at offset " + offset);
        }
        ByteBuffer buffer = ByteBuffer.allocate((int) length).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, offset + buffer.position()) <= 0) {
                throw new IOException("the file has become shorter");
            }
        }
        return buffer.flip();
    }

    private static String text(ByteBuffer names, int at) {
        if (at < 0 || at >= names.limit()) {
            return "";
        }
        int end = at;
        while (end < names.limit() && names.get(end) != 0) {
            end++;
        }
        byte[] bytes = new byte[end - at];
        names.get(at, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
