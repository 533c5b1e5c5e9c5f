package org.naklab.lab.campaign;

import org.naklab.lab.core.UsageException;

/**
 * A number of consecutive seeds of one arm; blocks follow each other in time.
 *
 * @param arm the label of the remedy
 * @param seeds how many, at least 1
 */
public record Block(String arm, int seeds) {
    private static final int MAX_SEEDS = 1_000_000;
    /** The word for the arm without a remedy. */
    private static final String WITHOUT = "without";

    /**
     * Reads {@code ARM:SEEDS}.
     *
     * @throws UsageException it is not that
     */
    public static Block of(String text) {
        int colon = text.indexOf(':');
        String number = text.substring(colon + 1);
        if (colon <= 0 || !number.matches("[1-9]\\d{0,6}") || Integer.parseInt(number) > MAX_SEEDS) {
            throw new UsageException("'" + text + "' is no block: write ARM:SEEDS, such as bind-now:50");
        }
        String arm = text.substring(0, colon);
        return new Block(arm.equals(WITHOUT) ? "none" : arm, Integer.parseInt(number));
    }
}
