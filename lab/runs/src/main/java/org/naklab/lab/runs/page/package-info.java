/** The frame of every HTML page, and its content security policy. */
@NullMarked
package org.naklab.lab.runs.page;

import org.jspecify.annotations.NullMarked;
