package org.naklab.lab.instruments.linking;

import java.nio.file.Path;
import java.util.List;

/**
 * Is a bind that is still to come: the slot, and what the dynamic linker will read.
 *
 * @param slot address in the process
 * @param unbound content of the slot as long as the symbol is unbound
 * @param pages in the order in which they are first read
 */
public record PendingBind(long slot, long unbound, List<FilePage> pages) {
    /**
     * Is a page of a library.
     *
     * @param file as it can be opened from here, while the process lives
     * @param library file name
     * @param section usual name of what is read there
     * @param number of the page in the file
     * @param isShared whether other processes have loaded the file too: under a shortage of memory, the kernel keeps such pages longest
     */
    public record FilePage(Path file, String library, String section, long number, boolean isShared) {}
}
