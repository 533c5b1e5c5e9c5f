/** The scenarios that inject one cause each. */
@NullMarked
package org.naklab.lab.scenarios.causes;

import org.jspecify.annotations.NullMarked;
