package org.naklab.subscriber.itch;

/** Says how far a book can be trusted. */
public enum BookState {
    /** Every event up to the latest one is in the book. */
    VALID('V'),
    /** An event of the feed has not come, and it may be one of this book. */
    SUSPECT('S'),
    /** The book is being filled with a snapshot. */
    REBUILDING('R');

    private final char code;

    BookState(char code) {
        this.code = code;
    }

    /** Returns the character of the state on the wire. */
    public char code() {
        return code;
    }

    /**
     * Returns the state with the given character.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static BookState of(char code) {
        for (BookState state : values()) {
            if (state.code == code) {
                return state;
            }
        }
        throw new IllegalArgumentException("no state of a book has the code " + (int) code);
    }
}
