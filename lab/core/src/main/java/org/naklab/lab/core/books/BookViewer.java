package org.naklab.lab.core.books;

import java.util.List;

/** Is shown the books of a run while it goes on, ten times a second, on a thread that it must not hold up. */
@FunctionalInterface
public interface BookViewer {
    /** Takes the books of one moment: each process that customers get books from has each instrument that is shown once. */
    void onBooks(List<BookView> books);
}
