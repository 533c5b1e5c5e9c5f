/**
 * Files in places that other users can write to, such as {@code /dev/shm} and {@code /tmp}: private directories, locks that end with
 * their process, and deletion that follows no symbolic link.
 */
@NullMarked
package org.naklab.files;

import org.jspecify.annotations.NullMarked;
