/** Types that every module of the lab uses: exceptions, units and formats, JSON, masked secrets. */
@NullMarked
package org.naklab.lab.core;

import org.jspecify.annotations.NullMarked;
