/** What observes a program whose runs are compared, in levels that cost it more and more. */
@NullMarked
package org.naklab.lab.tools.tune.observer;

import org.jspecify.annotations.NullMarked;
