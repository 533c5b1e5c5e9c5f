package org.naklab.lab.instruments.linux;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import org.agrona.concurrent.UnsafeBuffer;

/** Bytes outside the heap that a system call writes and Java reads, set up once. Freed when neither the object nor its view is reachable. */
public final class NativeMemory {
    private final Memory memory;
    private final long address;
    private final UnsafeBuffer view;

    public NativeMemory(int length) {
        memory = new Memory(length);
        memory.clear();
        address = Pointer.nativeValue(memory);
        // Through a byte buffer, which keeps the memory: a view of a bare address would outlive it.
        view = new UnsafeBuffer(memory.getByteBuffer(0, length));
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
