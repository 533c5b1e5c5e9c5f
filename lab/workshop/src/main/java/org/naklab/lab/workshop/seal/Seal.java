package org.naklab.lab.workshop.seal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Json;

/** The key of a workshop: it draws the case of each trainee, and seals the truth beside it with AES-GCM. */
public final class Seal {
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final String MAC = "HmacSHA256";

    private final byte[] key;

    private record KeyFile(String key) {}

    private Seal(byte[] key) {
        this.key = key.clone();
    }

    /** Returns the seal of the key in a file, which is made if it is not there. */
    public static Seal ofFile(Path file) {
        if (!Files.exists(file)) {
            byte[] fresh = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(fresh);
            Json.writePrivately(file, new KeyFile(HexFormat.of().formatHex(fresh)));
        }
        try {
            return new Seal(
                    HexFormat.of().parseHex(Json.read(file, KeyFile.class).key()));
        } catch (RuntimeException e) {
            throw new InputException("the key of the workshop in " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Draws a number from 0 to below a limit. The same words always draw the same number. */
    public int draw(int limit, String... words) {
        byte[] drawn = mac(words);
        return Math.floorMod(Arrays.hashCode(drawn), limit);
    }

    /** Returns a short name that tells nothing about the words. */
    public String opaque(String... words) {
        return HexFormat.of().formatHex(mac(words), 0, 4);
    }

    /** Seals bytes under a key that is derived from words. */
    public byte[] close(byte[] open, String... words) {
        try {
            byte[] nonce = new byte[NONCE_BYTES];
            new SecureRandom().nextBytes(nonce);
            byte[] secret = cipher(Cipher.ENCRYPT_MODE, nonce, words).doFinal(open);
            byte[] sealed = Arrays.copyOf(nonce, NONCE_BYTES + secret.length);
            System.arraycopy(secret, 0, sealed, NONCE_BYTES, secret.length);
            return sealed;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Opens what was sealed under the same words.
     *
     * @throws InputException the file cannot be read, was changed, or is of another workshop
     */
    public byte[] open(Path file, String... words) {
        try {
            byte[] sealed = Files.readAllBytes(file);
            if (sealed.length <= NONCE_BYTES) {
                throw new InputException("the sealed file " + file + " is cut off: start the unit again");
            }
            return cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(sealed, NONCE_BYTES), words)
                    .doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES);
        } catch (IOException e) {
            throw new InputException("the sealed file " + file + " cannot be read: start the unit again", e);
        } catch (GeneralSecurityException e) {
            throw new InputException("the sealed file " + file + " was changed, or is of another workshop", e);
        }
    }

    /** Returns the hash of bytes in hexadecimal digits. */
    public static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private Cipher cipher(int mode, byte[] nonce, String... words) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(mac(words), "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        return cipher;
    }

    private byte[] mac(String... words) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(key, MAC));
            for (String word : words) {
                mac.update(word.getBytes(StandardCharsets.UTF_8));
                mac.update((byte) 0);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
