package org.naklab.lab.instruments.kernel;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.instruments.kernel.symbols.MappedPlace;

/**
 * Is one page fault of a thread, from the exception until the page was there.
 *
 * @param task the thread
 * @param beginNs of the first attempt, ns
 * @param endNs when the kernel counted the fault, ns; 0: it had not when the recorder ended
 * @param address that was touched
 * @param instruction that touched it
 * @param major whether the kernel had to wait for the page: from a disk, a file system in user space, userfaultfd
 * @param inKernel whether the kernel touched the page for the thread, as {@code recvmsg} does
 * @param target what is mapped at the address; null if the process was gone
 * @param code what is mapped at the instruction; null if unknown or in the kernel
 */
public record PageFaultSpan(
        TaskId task,
        long beginNs,
        long endNs,
        long address,
        long instruction,
        boolean major,
        boolean inKernel,
        @Nullable MappedPlace target,
        @Nullable MappedPlace code)
        implements KernelRecord {
    @Override
    @JsonIgnore
    public long timeNs() {
        return endNs;
    }

    /** Returns how long the fault took, ns. */
    @JsonIgnore
    public long lengthNs() {
        return endNs - beginNs;
    }

    PageFaultSpan withPlaces(@Nullable MappedPlace newTarget, @Nullable MappedPlace newCode) {
        return new PageFaultSpan(task, beginNs, endNs, address, instruction, major, inKernel, newTarget, newCode);
    }
}
