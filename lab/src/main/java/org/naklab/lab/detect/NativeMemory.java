package org.naklab.lab.detect;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import org.agrona.concurrent.UnsafeBuffer;

/** Bytes outside the heap that a system call writes and Java reads, set up once. Freed with the object. */
final class NativeMemory {
    private final Memory memory;
    private final long address;
    private final UnsafeBuffer view;

    NativeMemory(int length) {
        memory = new Memory(length);
        memory.clear();
        address = Pointer.nativeValue(memory);
        view = new UnsafeBuffer(address, length);
    }

    long address() {
        return address;
    }

    int length() {
        return (int) memory.size();
    }

    UnsafeBuffer view() {
        return view;
    }
}
