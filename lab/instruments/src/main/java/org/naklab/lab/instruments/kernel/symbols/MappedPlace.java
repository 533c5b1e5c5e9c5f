package org.naklab.lab.instruments.kernel.symbols;

/**
 * Is the place in a file that an address of a process stands for.
 *
 * @param file path as the process sees it, or a name of the kernel such as {@code [heap]}; empty for anonymous memory
 * @param fileOffset of the address, bytes; 0 for anonymous memory
 * @param section of an ELF file, such as {@code .gnu.hash}; empty if the file is none, or no section covers the address
 */
public record MappedPlace(String file, long fileOffset, String section) {
    /** Memory without a file. */
    public static final MappedPlace ANONYMOUS = new MappedPlace("", 0, "");

    /** Returns file name and section: {@code libc.so.6 .gnu.hash}. */
    public String shortName() {
        String name = file.isEmpty() ? "anonymous memory" : file.substring(file.lastIndexOf('/') + 1);
        return section.isEmpty() ? name : name + ' ' + section;
    }
}
