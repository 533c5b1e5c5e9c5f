package org.naklab.lab.tools.jitter.reason;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Names what keeps a thread for microseconds. The labels are words of the JSON document, and docs/reference/jitter.md lists them with these descriptions. */
public enum Reason {
    STOPPED("a signal, a tracer or the freezer stopped the process"),
    SAFEPOINT("the JVM stopped its threads, or waited until they had stopped"),
    GC("the JVM stopped its threads for a garbage collection"),
    PAGE_FAULT("the thread touched a page that was not in memory, or not mapped"),
    RUN_QUEUE("the thread could run, and another thread had the CPU, or the CPU had to wake up"),
    SOFT_INTERRUPT("the kernel handled soft interrupts on the CPU"),
    INTERRUPT("an interrupt was handled on the CPU: of a device, of the local timer, of another CPU"),
    TIMER("a timer expired late: interrupts were off, or the CPU was not there"),
    STEAL("the hypervisor ran something else on the CPU"),
    WAIT("the thread waited for something in the kernel"),
    UNEXPLAINED("no source covers it");

    private final String meaning;

    Reason(String meaning) {
        this.meaning = meaning;
    }

    /** Returns the word of the JSON document, such as {@code run-queue}. */
    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns one clause that says what happened. */
    public String meaning() {
        return meaning;
    }

    @Override
    public String toString() {
        return label();
    }
}
