package org.naklab.lab.instruments.kernel.symbols;

import java.util.Locale;
import org.naklab.lab.core.Printable;

/**
 * Is one frame of a user stack.
 *
 * @param address of the instruction, or the return address
 * @param symbol function; empty if unknown
 * @param offset of the address in the function, bytes; 0 if unknown
 * @param module path of the file as the process sees it; empty if none is mapped there
 */
public record StackFrame(long address, String symbol, long offset, String module) {
    /** Whoever built the program chose the names, and may have put control characters into them. */
    public StackFrame {
        symbol = Printable.of(symbol);
        module = Printable.of(module);
    }

    /** Returns the frame as {@code perf script} prints it: {@code symbol+0xoffset (module)}. */
    @Override
    public String toString() {
        String name = symbol.isEmpty()
                ? String.format(Locale.ROOT, "0x%x", address)
                : symbol + String.format(Locale.ROOT, "+0x%x", offset);
        return name + " (" + (module.isEmpty() ? "[unknown]" : module) + ')';
    }
}
