package org.naklab.lab.cli.bundle;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * The contents of {@code bundle.json}: what the bundle holds, and what it does not.
 *
 * @param createdUtc ISO 8601
 * @param versions of the program, the JVM and the operating system that wrote the bundle
 * @param files redacted text
 * @param notRedacted files that were asked for and are in the bundle as they are
 * @param redacted number of different originals by kind; the same original has the same placeholder in all files
 * @param replacements what was replaced, without the originals, so that somebody can check it
 */
record BundleManifest(
        String createdUtc,
        List<String> versions,
        List<Entry> files,
        List<Entry> notRedacted,
        List<Entry> leftOut,
        Map<String, Integer> redacted,
        List<Replacement> replacements) {
    /** Name of the file in the bundle. */
    static final String NAME = "bundle.json";

    /**
     * A file.
     *
     * @param file path in the directory, redacted
     * @param bytes size before redaction and compression
     * @param note why it was left out, or what is missing in it
     */
    record Entry(
            String file,
            long bytes,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String note) {}

    /**
     * Tells what was replaced.
     *
     * @param kind of the original
     * @param recognisedBy how it was recognised where it stands first
     * @param firstFile path in the bundle; empty for the bundle's own documents
     * @param times number of places
     */
    record Replacement(String placeholder, String kind, String recognisedBy, String firstFile, long times) {
        Replacement again() {
            return new Replacement(placeholder, kind, recognisedBy, firstFile, times + 1);
        }
    }
}
