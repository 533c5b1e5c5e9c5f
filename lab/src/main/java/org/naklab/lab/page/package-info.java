/** Self-contained HTML pages: templates, their escaping, and the style that they share. */
@NullMarked
package org.naklab.lab.page;

import org.jspecify.annotations.NullMarked;
