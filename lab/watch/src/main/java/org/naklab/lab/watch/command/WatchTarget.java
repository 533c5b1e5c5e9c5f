package org.naklab.lab.watch.command;

import org.jspecify.annotations.Nullable;
import org.naklab.lab.instruments.aeron.UnitMember;

/**
 * A process to watch.
 *
 * @param member what it is in an Aeron unit; {@code null}: it is watched by itself
 */
record WatchTarget(long pid, @Nullable UnitMember member) {
    static WatchTarget of(long pid) {
        return new WatchTarget(pid, null);
    }

    static WatchTarget of(UnitMember member) {
        return new WatchTarget(member.pid(), member);
    }

    /** Returns whether it is a client of a media driver that is watched as well. */
    boolean isClient() {
        return member != null && !member.isDriver();
    }

    /** Returns its part in the unit for a title, or an empty string. */
    String part() {
        if (member == null) {
            return "";
        }
        return (member.isDriver() ? ", media driver in " : ", client of the media driver in ")
                + member.unit().directory();
    }

    /** Returns the name of its directory of windows in that of the unit. */
    String directoryName() {
        return (isClient() ? "client-" : "driver-") + pid;
    }
}
