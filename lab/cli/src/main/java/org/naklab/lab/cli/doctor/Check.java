package org.naklab.lab.cli.doctor;

/** Looks at one thing that a machine can or cannot do. */
@FunctionalInterface
interface Check {
    /** Never fails: what cannot be found out is a no. */
    CheckResult examine();
}
