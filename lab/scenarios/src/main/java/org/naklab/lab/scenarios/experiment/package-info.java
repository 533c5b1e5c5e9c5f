/** Experiments of many runs: comparison of remedies, confusion matrix. */
@NullMarked
package org.naklab.lab.scenarios.experiment;

import org.jspecify.annotations.NullMarked;
