package org.naklab.lab.workshop;

import java.util.Arrays;
import java.util.Optional;

/** A figure that tells for or against one suspect, which a trainee can ask for. */
public enum Measurement {
    BURST("burst", "traffic burst", "arrivals of the feed before and in the stall, and at other times"),
    PREEMPTION("run-queue", "pre-emption of the receipt thread", "time runnable without a processor"),
    INTERRUPTS("interrupts", "interrupts on the CPU of the receipt thread", "time taken by interrupts"),
    QUOTA("quota", "CPU quota of the cgroup", "time without quota"),
    CALLBACK("callbacks", "slow callback", "time in the application's callbacks"),
    POLL("poll", "blocking in poll", "time in poll or on a socket"),
    LOCK("locks", "lock or file lock", "time waiting for locks"),
    PAGES("pages", "page fault or memory reclaim", "time waiting for pages"),
    DISK("disk", "disk or file system", "time waiting for a disk"),
    JOURNAL("ring", "slow journal writes", "fill of the ring in front of the journal"),
    SAFEPOINT("safepoints", "garbage collection or safepoint", "time with all Java threads stopped"),
    PAUSE("stops", "process paused", "time stopped, frozen or traced"),
    MACHINE("machine", "machine stalled", "lateness of an idle timer, and time given to other machines"),
    NETWORK("network", "loss on the network", "datagrams that did not come to this socket");

    private final String label;
    private final String suspect;
    private final String about;

    Measurement(String label, String suspect, String about) {
        this.label = label;
        this.suspect = suspect;
        this.about = about;
    }

    /** Returns the name on the command line. */
    public String label() {
        return label;
    }

    /** Returns what is measured, in a few words. */
    public String about() {
        return about;
    }

    /** Returns the name of the suspect in the diagnosis. */
    String suspect() {
        return suspect;
    }

    static Optional<Measurement> of(String label) {
        return Arrays.stream(values()).filter(each -> each.label.equals(label)).findFirst();
    }

    static Optional<Measurement> ofSuspect(String suspect) {
        return Arrays.stream(values())
                .filter(each -> each.suspect.equals(suspect))
                .findFirst();
    }
}
