package org.naklab.lab.doctor;

/** Looks at one thing that a machine can or cannot do. */
@FunctionalInterface
interface Check {
    /** Never fails: what cannot be found out is a no. */
    CheckResult examine();
}
