package org.naklab.lab.replica.process;

import org.naklab.faults.FaultProof;

/**
 * The result of a fault in a process.
 *
 * @param armed whether it has been armed at any time
 * @param proof its own word on whether it fired
 */
public record FaultReport(boolean armed, FaultProof proof) {}
