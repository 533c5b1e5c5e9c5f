@NullMarked
package org.naklab.subscriber.book;

import org.jspecify.annotations.NullMarked;
