/** Child programs that take and write lines. */
@NullMarked
package org.naklab.lab.core.process;

import org.jspecify.annotations.NullMarked;
