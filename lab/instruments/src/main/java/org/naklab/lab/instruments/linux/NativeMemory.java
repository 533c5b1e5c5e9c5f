package org.naklab.lab.instruments.linux;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import org.agrona.concurrent.UnsafeBuffer;

/** Bytes outside the heap that a system call writes and Java reads, set up once. Freed with the object. */
public final class NativeMemory {
    private final Memory memory;
    private final long address;
    private final UnsafeBuffer view;

    public NativeMemory(int length) {
        memory = new Memory(length);
        memory.clear();
        address = Pointer.nativeValue(memory);
        view = new UnsafeBuffer(address, length);
    }

    public long address() {
        return address;
    }

    public int length() {
        return (int) memory.size();
    }

    public UnsafeBuffer view() {
        return view;
    }
}
