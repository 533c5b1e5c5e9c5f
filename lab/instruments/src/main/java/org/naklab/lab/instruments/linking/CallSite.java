package org.naklab.lab.instruments.linking;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Names the function that is called at a place of a library, by its machine code and the table of relocations: no symbols of the library's
 * own functions are needed. x86-64 only.
 *
 * <pre>
 * call rel32              e8 ........           to an entry of the linkage table:
 *     [endbr64] [bnd] jmp *slot(%rip)           [f3 0f 1e fa] [f2] ff 25 ........
 * call *slot(%rip)        ff 15 ........        -fno-plt: bound when the library is loaded
 * </pre>
 *
 * @param symbol the function that is called
 * @param isThroughPlt whether it is called through the linkage table, and so may be bound at the call
 * @param address of the call, as the file says it
 */
public record CallSite(String symbol, boolean isThroughPlt, long address) {
    private static final int CALL_BYTES = 5;
    private static final int INDIRECT_CALL_BYTES = 6;
    private static final int ENTRY_BYTES = 16;

    /**
     * Returns the call before a return address; empty if there is none, or it calls no function of another library.
     *
     * @param returnAddress as the file says it
     */
    static Optional<CallSite> before(ElfImage image, long returnAddress) throws IOException {
        if (!image.isX86() || !isCode(image, returnAddress - INDIRECT_CALL_BYTES)) {
            return Optional.empty();
        }
        ByteBuffer code = ElfImage.buffer(image.at(returnAddress - INDIRECT_CALL_BYTES, INDIRECT_CALL_BYTES));
        if ((code.get(0) & 0xff) == 0xff && code.get(1) == 0x15) {
            String symbol = image.dataSlotName(returnAddress + code.getInt(2));
            return symbol.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new CallSite(symbol, false, returnAddress - INDIRECT_CALL_BYTES));
        }
        if ((code.get(1) & 0xff) != 0xe8) {
            return Optional.empty();
        }
        long target = returnAddress + code.getInt(2);
        if (!isCode(image, target) || !isCode(image, target + ENTRY_BYTES - 1)) {
            return Optional.empty();
        }
        return throughEntry(image, target, returnAddress - CALL_BYTES);
    }

    private static Optional<CallSite> throughEntry(ElfImage image, long entry, long call) throws IOException {
        ByteBuffer code = ElfImage.buffer(image.at(entry, ENTRY_BYTES));
        int at = code.getInt(0) == 0xfa1e0ff3 ? Integer.BYTES : 0;
        at += (code.get(at) & 0xff) == 0xf2 ? 1 : 0;
        if ((code.get(at) & 0xff) != 0xff || code.get(at + 1) != 0x25) {
            return Optional.empty();
        }
        long slot = entry + at + INDIRECT_CALL_BYTES + code.getInt(at + 2);
        Optional<JumpSlot> found = image.jumpSlots().stream()
                .filter(each -> each.address() == slot)
                .findFirst();
        if (found.isPresent()) {
            return Optional.of(new CallSite(found.get().symbol(), true, call));
        }
        // Entries of .plt.got, for functions whose address the library also takes, are bound when it is loaded.
        String symbol = image.dataSlotName(slot);
        return symbol.isEmpty() ? Optional.empty() : Optional.of(new CallSite(symbol, false, call));
    }

    /** Returns whether the bytes before an address can be a call; a cheap test for words of a stack. */
    static boolean isAfterCall(ElfImage image, long address) throws IOException {
        if (!image.isX86()) {
            return isCode(image, address - 4);
        }
        if (!isCode(image, address - 8)) {
            return false;
        }
        byte[] code = image.at(address - 8, 8);
        return (code[3] & 0xff) == 0xe8
                || isIndirectCall(code, 2)
                || isIndirectCall(code, 5)
                || isIndirectCall(code, 6);
    }

    /** Opcode ff with 2 in the middle of the byte that follows: a call by a register or a word of memory. */
    private static boolean isIndirectCall(byte[] code, int at) {
        return (code[at] & 0xff) == 0xff && (code[at + 1] & 0x38) == 0x10;
    }

    private static boolean isCode(ElfImage image, long address) {
        return image.segments().stream().anyMatch(segment -> segment.isExecutable() && segment.holds(address));
    }

    /** Returns it as a sentence has it: {@code call of sched_yield through the PLT in libnaklab_yield.so+0x1234}. */
    public String in(String file) {
        return "call of " + symbol + (isThroughPlt ? " through the PLT in " : " in ") + file + "+0x"
                + Long.toHexString(address);
    }
}
