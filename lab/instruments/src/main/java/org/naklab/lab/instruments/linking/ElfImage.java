package org.naklab.lab.instruments.linking;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * As much of a little-endian 64-bit ELF file as tells how it binds (System V ABI, chapter 5). It reads program headers and the dynamic
 * section only, as the dynamic linker does: a stripped file, or one without section headers, has the same answers. What it reads does not
 * come into the page cache.
 */
public final class ElfImage implements AutoCloseable {
    static final long DT_NEEDED = 1;
    static final long DT_PLTRELSZ = 2;
    static final long DT_PLTGOT = 3;
    static final long DT_HASH = 4;
    static final long DT_STRTAB = 5;
    static final long DT_SYMTAB = 6;
    static final long DT_STRSZ = 10;
    static final long DT_SONAME = 14;
    static final long DT_JMPREL = 23;
    static final long DT_BIND_NOW = 24;
    static final long DT_FLAGS = 30;
    static final long DT_GNU_HASH = 0x6ffffef5L;
    static final long DT_VERSYM = 0x6ffffff0L;
    static final long DT_FLAGS_1 = 0x6ffffffbL;
    private static final long DF_BIND_NOW = 0x8;
    private static final long DF_1_NOW = 0x1;
    private static final int PT_LOAD = 1;
    private static final int PT_DYNAMIC = 2;
    private static final int PT_INTERP = 3;
    private static final int PT_GNU_RELRO = 0x6474e552;
    private static final int PF_X = 1;
    private static final int ET_EXEC = 2;
    private static final int ET_DYN = 3;
    private static final int EM_X86_64 = 62;
    private static final int EM_AARCH64 = 183;
    private static final int R_X86_64_JUMP_SLOT = 7;
    private static final int R_AARCH64_JUMP_SLOT = 1026;
    private static final int R_X86_64_GLOB_DAT = 6;
    private static final long DT_RELA = 7;
    private static final long DT_RELASZ = 8;
    private static final int STT_FUNC = 2;
    private static final int STT_GNU_IFUNC = 10;
    private static final int HEADER_BYTES = 64;
    private static final int PROGRAM_HEADER_BYTES = 56;
    static final int RELOCATION_BYTES = 24;
    static final int SYMBOL_BYTES = 24;
    private static final int MAX_NAME_BYTES = 65_536;
    private static final int MAX_DYNAMIC_BYTES = 1 << 20;
    /** Tables that refer to the same long names again and again would take days. */
    private static final long MAX_BYTES_OF_NAMES = 1L << 30;

    private static final int MAX_ENTRIES = 4 << 20;
    /** The entries of the linkage table before prelink's first: glibc reserves three words of the table of addresses. */
    private static final int RESERVED_WORDS = 3;

    private final UncachedFile file;
    private final int type;
    private final int machine;
    private final List<Segment> segments = new ArrayList<>();
    private final Map<Long, Long> dynamic = new HashMap<>();
    private final List<Long> needed = new ArrayList<>();
    private boolean hasDynamic;
    private boolean hasInterpreter;
    private boolean hasRelro;
    private long bytesOfNames;

    /** A part of the file that is loaded. */
    record Segment(long offset, long address, long fileBytes, long memoryBytes, boolean isExecutable) {
        boolean holds(long at) {
            return at >= address && at - address < fileBytes;
        }
    }

    private ElfImage(UncachedFile file, ByteBuffer header) throws IOException {
        this.file = file;
        type = Short.toUnsignedInt(header.getShort(16));
        machine = Short.toUnsignedInt(header.getShort(18));
        int length = Short.toUnsignedInt(header.getShort(54));
        int count = Short.toUnsignedInt(header.getShort(56));
        if (length != PROGRAM_HEADER_BYTES) {
            throw new IOException("its program headers are damaged");
        }
        ByteBuffer table = buffer(file.bytes(header.getLong(32), (long) length * count));
        for (int at = 0; at < table.limit(); at += length) {
            readProgramHeader(table, at);
        }
    }

    /**
     * Opens a file.
     *
     * @throws IOException it cannot be read, or is no little-endian 64-bit ELF executable or shared object of x86-64 or aarch64
     */
    public static ElfImage open(Path path) throws IOException {
        UncachedFile file = UncachedFile.open(path);
        try {
            ByteBuffer header = buffer(file.bytes(0, HEADER_BYTES));
            boolean isElf = header.getInt(0) == 0x464c457f && header.get(4) == 2 && header.get(5) == 1;
            if (!isElf) {
                throw new IOException("it is no little-endian 64-bit ELF file");
            }
            ElfImage image = new ElfImage(file, header);
            if (image.type != ET_EXEC && image.type != ET_DYN) {
                throw new IOException("it is neither an executable nor a shared object");
            }
            if (image.machine != EM_X86_64 && image.machine != EM_AARCH64) {
                throw new IOException("it is neither of x86-64 nor of aarch64");
            }
            return image;
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e instanceof RuntimeException
                    ? new IOException("it is a damaged ELF file: " + e, e)
                    : (IOException) e;
        }
    }

    private void readProgramHeader(ByteBuffer table, int at) throws IOException {
        int kind = table.getInt(at);
        int flags = table.getInt(at + 4);
        Segment segment = new Segment(
                table.getLong(at + 8),
                table.getLong(at + 16),
                table.getLong(at + 32),
                table.getLong(at + 40),
                (flags & PF_X) != 0);
        switch (kind) {
            case PT_LOAD -> segments.add(whole(segment));
            case PT_DYNAMIC -> readDynamic(segment);
            case PT_INTERP -> hasInterpreter = true;
            case PT_GNU_RELRO -> hasRelro = true;
            default -> {}
        }
    }

    /** The places of all tables are reckoned from such segments. */
    private Segment whole(Segment segment) throws IOException {
        long length = segment.fileBytes();
        if (length != 0 && (segment.offset() < 0 || length < 0 || segment.offset() > file.size() - length)) {
            throw new IOException("a segment is not in the file");
        }
        return segment;
    }

    private void readDynamic(Segment segment) throws IOException {
        hasDynamic = true;
        if (segment.fileBytes() > MAX_DYNAMIC_BYTES) {
            throw new IOException("its dynamic section is damaged");
        }
        ByteBuffer entries = buffer(file.bytes(segment.offset(), segment.fileBytes()));
        for (int at = 0; at + 16 <= entries.limit() && entries.getLong(at) != 0; at += 16) {
            long tag = entries.getLong(at);
            if (tag == DT_NEEDED) {
                needed.add(entries.getLong(at + 8));
            }
            dynamic.putIfAbsent(tag, entries.getLong(at + 8));
        }
    }

    OptionalLong dynamic(long tag) {
        Long value = dynamic.get(tag);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }

    /** Returns whether it uses a dynamic linker or may be loaded by one: a static program does not bind anything. */
    public boolean isDynamic() {
        return hasDynamic && (hasInterpreter || !needed.isEmpty() || dynamic.containsKey(DT_SONAME) || !isProgram());
    }

    /** A position-independent static program has a dynamic section, which says by a flag that it is a program. */
    private boolean isProgram() {
        long df1Pie = 0x08000000L;
        return type == ET_EXEC || (dynamic(DT_FLAGS_1).orElse(0) & df1Pie) != 0;
    }

    /** Returns whether reading it left the page cache as it was. */
    public boolean isUncached() {
        return file.isUncached();
    }

    /** Returns whether the file itself asks for all functions to be bound when it is loaded: {@code -z now}. */
    public boolean isBindNow() {
        return dynamic.containsKey(DT_BIND_NOW)
                || (dynamic(DT_FLAGS).orElse(0) & DF_BIND_NOW) != 0
                || (dynamic(DT_FLAGS_1).orElse(0) & DF_1_NOW) != 0;
    }

    public Relro relro() {
        if (!hasRelro) {
            return Relro.NONE;
        }
        return isBindNow() || !isDynamic() ? Relro.FULL : Relro.PARTIAL;
    }

    boolean isX86() {
        return machine == EM_X86_64;
    }

    List<Segment> segments() {
        return segments;
    }

    /** Returns the names of the libraries that it needs, in order. */
    List<String> needed() throws IOException {
        List<String> names = new ArrayList<>();
        for (long name : needed) {
            names.add(string(name));
        }
        return names;
    }

    /** Returns the name under which others need it; empty if it has none. */
    String soname() throws IOException {
        OptionalLong name = dynamic(DT_SONAME);
        return name.isEmpty() ? "" : string(name.getAsLong());
    }

    /** Returns the functions that are called through the procedure linkage table, in its order. */
    public List<JumpSlot> jumpSlots() throws IOException {
        OptionalLong table = dynamic(DT_JMPREL);
        if (table.isEmpty() || !isDynamic()) {
            return List.of();
        }
        int wanted = isX86() ? R_X86_64_JUMP_SLOT : R_AARCH64_JUMP_SLOT;
        List<JumpSlot> slots = new ArrayList<>();
        int count = count(dynamic(DT_PLTRELSZ).orElse(0), RELOCATION_BYTES);
        ByteBuffer relocations = buffer(at(table.getAsLong(), (long) count * RELOCATION_BYTES));
        for (int i = 0; i < count; i++) {
            long info = relocations.getLong(i * RELOCATION_BYTES + 8);
            if ((int) info == wanted) {
                long slot = relocations.getLong(i * RELOCATION_BYTES);
                int symbol = (int) (info >>> 32);
                slots.add(new JumpSlot(symbolName(symbol), slot, initial(slot), i, symbol));
            }
        }
        return slots;
    }

    /**
     * The content of a slot before its function is bound. prelink(8) writes the address of a library that it expects into the slot; the
     * dynamic linker goes back to the linkage table then, whose address prelink has left in the second word of the table.
     */
    private long initial(long slot) throws IOException {
        OptionalLong table = dynamic(DT_PLTGOT);
        if (isX86() && table.isPresent()) {
            long linkage = word(table.getAsLong() + Long.BYTES);
            if (linkage != 0) {
                long first = table.getAsLong() + RESERVED_WORDS * Long.BYTES;
                return linkage + (slot - first) * 2;
            }
        }
        return word(slot);
    }

    /** Returns the name of the function whose address the dynamic linker writes to an address when it loads the file; empty if none. */
    String dataSlotName(long address) throws IOException {
        OptionalLong table = dynamic(DT_RELA);
        if (table.isEmpty()) {
            return "";
        }
        int count = count(dynamic(DT_RELASZ).orElse(0), RELOCATION_BYTES);
        ByteBuffer relocations = buffer(at(table.getAsLong(), (long) count * RELOCATION_BYTES));
        for (int i = 0; i < count; i++) {
            long info = relocations.getLong(i * RELOCATION_BYTES + 8);
            if (relocations.getLong(i * RELOCATION_BYTES) == address && (int) info == R_X86_64_GLOB_DAT) {
                return symbolName((int) (info >>> 32));
            }
        }
        return "";
    }

    String symbolName(int index) throws IOException {
        return string(word32(symbolAddress(index)));
    }

    long symbolAddress(int index) throws IOException {
        return table(DT_SYMTAB) + (long) index * SYMBOL_BYTES;
    }

    /** Returns whether a symbol is defined here: it has a section and, but for a function that is chosen at run time, a value. */
    boolean isDefined(int index) throws IOException {
        ByteBuffer symbol = buffer(at(symbolAddress(index), SYMBOL_BYTES));
        return symbol.getShort(6) != 0;
    }

    /** Returns the number of entries of the symbol table, which only the hash tables tell. */
    int symbolCount() throws IOException {
        OptionalLong old = dynamic(DT_HASH);
        if (old.isPresent()) {
            return entries(word32(old.getAsLong() + Integer.BYTES));
        }
        long table = table(DT_GNU_HASH);
        long buckets = entries(word32(table));
        long first = word32(table + 4);
        long at = table + 16 + word32(table + 8) * Long.BYTES;
        long last = 0;
        for (long i = 0; i < buckets; i++) {
            last = Math.max(last, word32(at + i * Integer.BYTES));
        }
        if (last < first) {
            return entries(first);
        }
        long chain = at + buckets * Integer.BYTES;
        while (last < MAX_ENTRIES && (word32(chain + (last - first) * Integer.BYTES) & 1) == 0) {
            last++;
        }
        return entries(last + 1);
    }

    /** Returns the functions that it defines for others, in the version that a new program gets. */
    List<ExportedFunction> exportedFunctions() throws IOException {
        OptionalLong table = dynamic(DT_SYMTAB);
        if (table.isEmpty()) {
            return List.of();
        }
        int count = symbolCount();
        ByteBuffer symbols = buffer(at(table.getAsLong(), (long) count * SYMBOL_BYTES));
        byte[] names = at(table(DT_STRTAB), dynamic(DT_STRSZ).orElse(0));
        OptionalLong versions = dynamic(DT_VERSYM);
        byte[] version = versions.isEmpty() ? new byte[0] : at(versions.getAsLong(), (long) count * Short.BYTES);
        List<ExportedFunction> functions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int kind = symbols.get(i * SYMBOL_BYTES + 4) & 0xf;
            boolean isOld = version.length > 0 && version[i * Short.BYTES + 1] < 0;
            boolean isDefined = symbols.getShort(i * SYMBOL_BYTES + 6) != 0;
            if ((kind == STT_FUNC || kind == STT_GNU_IFUNC) && isDefined && !isOld) {
                long address = symbols.getLong(i * SYMBOL_BYTES + 8);
                functions.add(new ExportedFunction(
                        name(names, symbols.getInt(i * SYMBOL_BYTES)),
                        address,
                        offset(address),
                        symbols.getLong(i * SYMBOL_BYTES + 16),
                        kind == STT_GNU_IFUNC));
            }
        }
        return functions;
    }

    /** Returns the name at a place of a table of names; empty if the table has no such place. */
    static String name(byte[] names, int from) {
        if (from < 0 || from >= names.length) {
            return "";
        }
        int end = from;
        while (end < names.length && names[end] != 0) {
            end++;
        }
        return new String(names, from, end - from, StandardCharsets.UTF_8);
    }

    private String string(long offset) throws IOException {
        long from = offset(table(DT_STRTAB) + offset);
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < MAX_NAME_BYTES; i++) {
            if (bytesOfNames++ > MAX_BYTES_OF_NAMES) {
                throw new IOException("its names are damaged");
            }
            byte letter = file.bytes(from + i, 1)[0];
            if (letter == 0) {
                return name.toString();
            }
            name.append((char) (letter & 0xff));
        }
        return new String(name.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    long word(long address) throws IOException {
        return buffer(at(address, Long.BYTES)).getLong(0);
    }

    long word32(long address) throws IOException {
        return Integer.toUnsignedLong(buffer(at(address, Integer.BYTES)).getInt(0));
    }

    byte[] bytes(long offset, long length) throws IOException {
        return file.bytes(offset, length);
    }

    /** Returns what the file has at an address of the loaded image. @throws IOException no segment holds it */
    byte[] at(long address, long length) throws IOException {
        return file.bytes(offset(address), length);
    }

    /** Returns the place in the file of an address of the loaded image. @throws IOException no segment holds it */
    long offset(long address) throws IOException {
        for (Segment segment : segments) {
            if (segment.holds(address)) {
                return address - segment.address() + segment.offset();
            }
        }
        throw new IOException("no segment of the file holds address 0x" + Long.toHexString(address));
    }

    private static int count(long bytes, int each) throws IOException {
        return entries(bytes / each);
    }

    /** @throws IOException no table has so many */
    private static int entries(long count) throws IOException {
        if (count < 0 || count > MAX_ENTRIES) {
            throw new IOException("a table of " + count + " entries is damaged");
        }
        return (int) count;
    }

    /** Returns the address of a table that a whole file has. */
    long table(long tag) throws IOException {
        return dynamic(tag).orElseThrow(() -> new IOException("it has no table 0x" + Long.toHexString(tag)));
    }

    static ByteBuffer buffer(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() {
        file.close();
    }
}
