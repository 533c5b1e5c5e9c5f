package org.naklab.lab.report.web;

import java.security.SecureRandom;
import java.util.Base64;

/** Makes secrets of 128 bits that are parts of addresses. */
public final class Token {
    private static final int BYTES = 16;

    private Token() {}

    /** Returns a new one, of letters, digits, hyphens and underscores. */
    public static String make() {
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }
}
