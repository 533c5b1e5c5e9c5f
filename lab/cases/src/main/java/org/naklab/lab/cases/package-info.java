/** Recorded evidence of a run or a watch, before judgement, and its judgement. */
@NullMarked
package org.naklab.lab.cases;

import org.jspecify.annotations.NullMarked;
