package org.naklab.lab.report.web;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;

/** Makes secrets of 128 bits that are parts of addresses, and compares what was told with them. */
public final class Token {
    private static final int BYTES = 16;

    private Token() {}

    /** Returns a new one, of letters, digits, hyphens and underscores. */
    public static String make() {
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    /** Returns whether both are the same, in a time that does not depend on where they differ: it tells nothing of the secret. */
    public static boolean isSame(String secret, String told) {
        return MessageDigest.isEqual(secret.getBytes(StandardCharsets.UTF_8), told.getBytes(StandardCharsets.UTF_8));
    }
}
