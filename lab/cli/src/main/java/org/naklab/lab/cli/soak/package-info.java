/** The search for the shortest failing beginning of a soak's plan. */
@NullMarked
package org.naklab.lab.cli.soak;

import org.jspecify.annotations.NullMarked;
