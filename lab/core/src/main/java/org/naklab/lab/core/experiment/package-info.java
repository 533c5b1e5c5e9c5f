/** The loop of every experiment of the lab: arms times seeds, doubtful trials again, and a rule that ends it; and the answers to all of them. */
@NullMarked
package org.naklab.lab.core.experiment;

import org.jspecify.annotations.NullMarked;
