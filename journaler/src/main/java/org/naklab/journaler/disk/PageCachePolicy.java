package org.naklab.journaler.disk;

import java.util.Locale;

/** Decides whether pages that a journal has written stay in the page cache. */
public enum PageCachePolicy {
    /** They stay until the kernel reclaims them, and until then compete with the pages of everything else in memory. */
    KEPT,
    /** They are put to disk a few MiB behind the writer, and dropped. */
    POLITE;

    /**
     * Returns the policy that a system property names; {@link #KEPT} without the property.
     *
     * @throws IllegalArgumentException if it names none
     */
    public static PageCachePolicy ofProperty(String property) {
        String value = System.getProperty(property, KEPT.label());
        for (PageCachePolicy policy : values()) {
            if (policy.label().equals(value)) {
                return policy;
            }
        }
        throw new IllegalArgumentException(property + " is " + value + ", not kept or polite");
    }

    /** Returns the spelling of properties and of the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return label();
    }
}
