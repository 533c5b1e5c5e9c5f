/** The account of a stall: what the thread did, or waited for, in each part of it. */
@NullMarked
package org.naklab.lab.core.account;

import org.jspecify.annotations.NullMarked;
