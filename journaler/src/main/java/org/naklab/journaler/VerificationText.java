package org.naklab.journaler;

import java.util.ArrayList;
import java.util.List;

/** Puts a {@link Verification} in lines for people. */
final class VerificationText {
    private final Verification verification;
    private final List<String> lines = new ArrayList<>();

    private VerificationText(Verification verification) {
        this.verification = verification;
    }

    static List<String> lines(Verification verification) {
        VerificationText text = new VerificationText(verification);
        text.content();
        text.faults();
        text.end();
        return text.lines;
    }

    private void content() {
        Verification v = verification;
        line("journal", v.journal().toString());
        line("format", v.formatVersion() == 1 ? "1: receive timestamps are in no checksum" : "" + v.formatVersion());
        line("feed", feed());
        line(
                "events",
                v.events() + (v.events() == 0 ? "" : ", sequences " + v.firstSequence() + " to " + v.lastSequence()));
        line("missing", v.missing() + " in " + v.gaps() + (v.gaps() == 1 ? " gap" : " gaps"));
        line("duplicates", "" + v.duplicates());
        line("reordered", "" + v.reordered());
    }

    private String feed() {
        String id = verification.feedId() == 0 ? "not named" : feedText(verification.feedId());
        return verification.isExpectedFeed()
                ? id
                : id + ", not " + feedText(verification.expectedFeedId()) + ", which it should be";
    }

    private void faults() {
        Verification v = verification;
        if (v.unreadable() > 0) {
            line("unreadable", v.unreadable() + " records are neither an event nor a trailer");
        }
        if (v.damaged() > 0) {
            line(
                    "damaged",
                    v.damaged() + " records do not fit their checksum, which covers the record before them too");
        }
        if (v.timestampsFallen() > 0) {
            line("timestamps", v.timestampsFallen() + " receive timestamps are lower than the one before them");
        }
        if (v.afterTrailer() > 0) {
            line("after end", v.afterTrailer() + " records follow the trailer");
        }
        if (v.entryBegun()) {
            line("last entry", "begun and not finished: the writer died at it");
        }
        v.unaccounted().forEach(finding -> line("files", finding));
    }

    private void end() {
        Verification v = verification;
        line(
                "trailer",
                v.trailerSeen()
                        ? "counts " + v.trailerCount() + " events"
                        : "missing: the journal did not see the feed's end");
        line("digest", hex(v.digest()) + (v.trailerSeen() ? digestVerdict() : ", nothing to compare it with"));
        line(v.passed() ? "PASS" : v.isEmpty() ? "UNKNOWN" : "FAIL", v.verdict());
    }

    private String digestVerdict() {
        return verification.digest() == verification.trailerDigest()
                ? " equals the trailer's"
                : " differs from the trailer's " + hex(verification.trailerDigest());
    }

    private void line(String title, String text) {
        lines.add(String.format("%-13s%s", title, text));
    }

    private static String hex(long digest) {
        return String.format("%08x", digest);
    }

    private static String feedText(long feedId) {
        return String.format("%016x", feedId);
    }
}
