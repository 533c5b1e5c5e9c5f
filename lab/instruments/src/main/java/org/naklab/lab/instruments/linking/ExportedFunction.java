package org.naklab.lab.instruments.linking;

/**
 * Is a function that a library defines for others.
 *
 * @param address as the file says it
 * @param offset of its code in the file, bytes
 * @param length of its code, bytes; 0: not known
 * @param isChosenAtRunTime whether the dynamic linker calls the code at the address to get the function (IFUNC)
 */
public record ExportedFunction(String name, long address, long offset, long length, boolean isChosenAtRunTime) {}
