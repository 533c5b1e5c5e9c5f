package org.naklab.lab.campaign;

/**
 * Names what is run with a seed.
 *
 * @param scenario its name, or {@link #CANARY}'s
 * @param arm the label of the remedy
 */
public record Cell(String scenario, String arm) {
    /** The run that must fail, so that a campaign without failures shows that it would have seen one. */
    public static final Cell CANARY = new Cell("canary", "none");

    boolean isCanary() {
        return equals(CANARY);
    }
}
