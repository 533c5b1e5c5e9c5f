/** Servers of databases for tests. */
@NullMarked
package org.naklab.testing.database;

import org.jspecify.annotations.NullMarked;
