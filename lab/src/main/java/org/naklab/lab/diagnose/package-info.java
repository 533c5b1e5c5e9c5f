/**
 * From what the instruments saw to a cause: the explanation of each stall and loss, the causal chain with its missing links,
 * and every suspect of the incident ruled out by a figure. Knows nothing of the faults that a scenario injects.
 */
@org.jspecify.annotations.NullMarked
package org.naklab.lab.diagnose;
