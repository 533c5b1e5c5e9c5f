package org.naklab.lab.instruments.linking;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Repeats what the dynamic linker does to find a symbol in one library, and notes what it reads there: the Bloom filter, the bucket and the
 * chain of {@code .gnu.hash}, and for each entry with the same hash the symbol, its version and its name (glibc's {@code do_lookup_x}).
 */
final class SymbolLookup {
    private static final int BITS = 64;
    private static final int MAX_CHAIN = 1 << 20;

    private final ElfImage image;
    private final List<Touch> touches = new ArrayList<>();

    /**
     * A place that the dynamic linker reads.
     *
     * @param section its usual name
     * @param address as the file says it
     */
    record Touch(String section, long address, int length) {}

    SymbolLookup(ElfImage image) {
        this.image = image;
    }

    List<Touch> touches() {
        return touches;
    }

    /** Notes what a bind reads of the library that calls. */
    void readCaller(JumpSlot slot) throws IOException {
        long table = image.table(ElfImage.DT_JMPREL);
        touch(".rela.plt", table + (long) slot.relocation() * ElfImage.RELOCATION_BYTES, ElfImage.RELOCATION_BYTES);
        readSymbol(slot.symbolIndex(), slot.symbol().length());
    }

    private void readSymbol(int index, int nameLength) throws IOException {
        long symbol = image.symbolAddress(index);
        touch(".dynsym", symbol, ElfImage.SYMBOL_BYTES);
        touch(".dynstr", image.table(ElfImage.DT_STRTAB) + image.word32(symbol), nameLength + 1);
        image.dynamic(ElfImage.DT_VERSYM).ifPresent(table -> touch(".gnu.version", table + index * 2L, 2));
    }

    private void touch(String section, long address, int length) {
        touches.add(new Touch(section, address, length));
    }

    /** Looks a symbol up. Returns whether the library defines it. */
    boolean find(String symbol) throws IOException {
        if (image.dynamic(ElfImage.DT_GNU_HASH).isPresent()) {
            return findByGnuHash(symbol, image.dynamic(ElfImage.DT_GNU_HASH).getAsLong());
        }
        if (image.dynamic(ElfImage.DT_HASH).isPresent()) {
            return findByHash(symbol, image.dynamic(ElfImage.DT_HASH).getAsLong());
        }
        return false;
    }

    private boolean findByGnuHash(String symbol, long table) throws IOException {
        long buckets = image.word32(table);
        long firstSymbol = image.word32(table + 4);
        long words = image.word32(table + 8);
        long shift = image.word32(table + 12);
        long hash = gnuHash(symbol);
        long filter = table + 16;
        long filterWord = filter + (hash / BITS & (words - 1)) * Long.BYTES;
        touch(".gnu.hash", filterWord, Long.BYTES);
        long bits = image.word(filterWord);
        if ((bits >>> hash % BITS & bits >>> (hash >>> shift) % BITS & 1) == 0 || buckets == 0) {
            return false;
        }
        long bucket = filter + words * Long.BYTES + hash % buckets * Integer.BYTES;
        touch(".gnu.hash", bucket, Integer.BYTES);
        long index = image.word32(bucket);
        if (index < firstSymbol) {
            return false;
        }
        long chain = filter + words * Long.BYTES + buckets * Integer.BYTES;
        for (int steps = 0; steps < MAX_CHAIN; steps++, index++) {
            long entry = chain + (index - firstSymbol) * Integer.BYTES;
            touch(".gnu.hash", entry, Integer.BYTES);
            long value = image.word32(entry);
            if ((value | 1) == (hash | 1) && isSymbol((int) index, symbol)) {
                return true;
            }
            if ((value & 1) != 0) {
                return false;
            }
        }
        return false;
    }

    private boolean findByHash(String symbol, long table) throws IOException {
        long buckets = image.word32(table);
        if (buckets == 0) {
            return false;
        }
        long bucket = table + 8 + hash(symbol) % buckets * Integer.BYTES;
        touch(".hash", bucket, Integer.BYTES);
        long index = image.word32(bucket);
        for (int steps = 0; index != 0 && steps < MAX_CHAIN; steps++) {
            if (isSymbol((int) index, symbol)) {
                return true;
            }
            long entry = table + 8 + (buckets + index) * Integer.BYTES;
            touch(".hash", entry, Integer.BYTES);
            index = image.word32(entry);
        }
        return false;
    }

    private boolean isSymbol(int index, String symbol) throws IOException {
        readSymbol(index, symbol.length());
        return image.isDefined(index) && image.symbolName(index).equals(symbol);
    }

    private static long gnuHash(String symbol) {
        int hash = 5381;
        for (byte letter : symbol.getBytes(StandardCharsets.UTF_8)) {
            hash = hash * 33 + (letter & 0xff);
        }
        return Integer.toUnsignedLong(hash);
    }

    private static long hash(String symbol) {
        long hash = 0;
        for (byte letter : symbol.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash << 4) + (letter & 0xff);
            long high = hash & 0xf0000000L;
            hash = (hash ^ high >>> 24) & ~high & 0xffffffffL;
        }
        return hash;
    }
}
