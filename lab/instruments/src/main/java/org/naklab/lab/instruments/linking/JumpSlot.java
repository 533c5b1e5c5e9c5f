package org.naklab.lab.instruments.linking;

/**
 * Is the place in the global offset table through which a library calls one function.
 *
 * @param symbol name of the function
 * @param address of the slot, as the file says it
 * @param initial content of the slot before the function is bound, as the file says it: an address in the library's own linkage table
 * @param relocation number of the entry in the table of relocations of the linkage table
 * @param symbolIndex number of the entry in the symbol table
 */
public record JumpSlot(String symbol, long address, long initial, int relocation, int symbolIndex) {}
