package org.naklab.lab.cli.bundle;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.naklab.lab.core.Json;

/** The spellings of a secret: as it is, in a string of JSON, and in a URL. */
final class Spelling {
    private Spelling() {}

    static List<String> of(String secret) {
        String quoted = Json.line(secret);
        String inUrl = URLEncoder.encode(secret, StandardCharsets.UTF_8);
        return Stream.of(secret, quoted.substring(1, quoted.length() - 1), inUrl, inUrl.replace("+", "%20"))
                .distinct()
                .toList();
    }
}
