package org.naklab.lab.cli.doctor;

/**
 * The result of a check.
 *
 * @param name of the thing looked at
 * @param ok whether the machine can do it
 * @param needed whether {@code naklab run baseline} cannot do without
 * @param found what is there
 * @param advice what to do about a no; empty for a yes
 */
public record CheckResult(String name, boolean ok, boolean needed, String found, String advice) {
    static CheckResult yes(String name, String found) {
        return new CheckResult(name, true, false, found, "");
    }

    static CheckResult no(String name, String found, String advice) {
        return new CheckResult(name, false, false, found, advice);
    }

    static CheckResult of(String name, boolean ok, String found, String advice) {
        return ok ? yes(name, found) : no(name, found, advice);
    }

    /** Returns the result of a check of something that a run needs. */
    CheckResult asNeeded() {
        return new CheckResult(name, ok, true, found, advice);
    }
}
