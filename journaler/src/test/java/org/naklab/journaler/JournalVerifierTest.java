package org.naklab.journaler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;
import org.naklab.files.FileTrees;
import org.naklab.journaler.TestFeed.Message;
import org.naklab.messaging.feed.FeedMessages;

class JournalVerifierTest {
    private static final int EVENTS = 40;
    /** The due time and the send delay. */
    private static final int TIMES_BYTES = Long.BYTES + Integer.BYTES;

    private final Path directory = temporaryDirectory();
    private final List<Message> whole = new TestFeed().messages(11, EVENTS);
    private final List<Message> messages = new ArrayList<>(whole);

    @BeforeTry
    void restoreMessages() {
        messages.clear();
        messages.addAll(whole);
    }

    @AfterTry
    void removeDirectory() throws IOException {
        FileTrees.delete(directory);
    }

    @Example
    void shouldPassAWholeJournal() {
        Verification verification = verify();

        assertThat(verification.passed()).isTrue();
        assertThat(verification.events()).isEqualTo(EVENTS);
        assertThat(verification.firstSequence()).isEqualTo(1);
        assertThat(verification.lastSequence()).isEqualTo(EVENTS);
        assertThat(verification.trailerCount()).isEqualTo(EVENTS);
        assertThat(verification.digest())
                .isEqualTo(verification.trailerDigest())
                .isNotZero();
        assertThat(verification.summary()).last().asString().startsWith("PASS");
    }

    @Example
    void shouldSayThatTheTrailerIsMissing() {
        TestFeed.writeUnchecked(directory, messages);
        Verification verification = JournalVerifier.verify(directory);

        assertThat(verification.passed()).isFalse();
        assertThat(verification.isIntact()).isTrue();
        assertThat(verification.trailerSeen()).isFalse();
        assertThat(verification.summary()).anyMatch(line -> line.startsWith("trailer") && line.contains("missing"));
    }

    @Example
    void shouldNotPassAJournalInWhichNothingIs() {
        try (Journal journal = TestFeed.create(directory)) {
            TestFeed.append(journal, TestFeed.trailer(List.of()), TestFeed.START_NS);
        }
        Verification verification = JournalVerifier.verify(directory);

        assertThat(verification.isIntact()).isTrue();
        assertThat(verification.isEmpty()).isTrue();
        assertThat(verification.passed()).isFalse();
        assertThat(verification.summary())
                .last()
                .isEqualTo(
                        "UNKNOWN      the journal is empty, and the trailer counts no event: nothing was there to verify");
    }

    @Example
    void shouldTellWhoseFeedTheJournalHolds() {
        TestFeed.writeWhole(TestFeed.context(directory).feedId(77), 3, 5);

        assertThat(JournalVerifier.verify(directory).feedId()).isEqualTo(77);
        assertThat(JournalVerifier.verify(directory).passed()).isTrue();
        assertThat(JournalVerifier.verify(directory, 77).passed()).isTrue();
        Verification other = JournalVerifier.verify(directory, 78);
        assertThat(other.passed()).isFalse();
        assertThat(other.summary()).contains("feed         000000000000004d, not 000000000000004e, which it should be");
    }

    @Example
    void shouldTakeTheFeedsNameWhenItIsKnown() {
        try (Journal journal = TestFeed.create(directory)) {
            TestFeed.append(journal, whole.get(0), TestFeed.START_NS);
            journal.feedId(77);
            journal.feedId(77);
            TestFeed.append(journal, TestFeed.trailer(whole.subList(0, 1)), TestFeed.START_NS);
            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> journal.feedId(78))
                    .withMessageEndingWith("holds feed 000000000000004d and takes none of feed 000000000000004e");
        }
        assertThat(JournalVerifier.verify(directory, 77).passed()).isTrue();
    }

    @Example
    void shouldCountReceiveTimestampsThatFall() {
        try (Journal journal = TestFeed.create(directory)) {
            for (int i = 0; i < 3; i++) {
                Message message = messages.get(i);
                journal.appendUnchecked(TestFeed.START_NS - i, message.buffer(), 0, message.length());
            }
            Message trailer = TestFeed.trailer(messages.subList(0, 3));
            journal.appendUnchecked(TestFeed.START_NS, trailer.buffer(), 0, trailer.length());
        }
        Verification verification = JournalVerifier.verify(directory);

        assertThat(verification.timestampsFallen()).isEqualTo(2);
        assertThat(verification.damaged()).isZero();
        assertThat(verification.passed()).isFalse();
    }

    @Property(tries = 40)
    void shouldCountEachGap(
            @ForAll @IntRange(min = 0, max = EVENTS - 1) int at, @ForAll @IntRange(min = 1, max = 5) int count) {
        int last = Math.min(at + count, EVENTS);
        messages.subList(at, last).clear();

        Verification verification = verify();

        assertThat(verification.gaps()).isEqualTo(1);
        assertThat(verification.missing()).isEqualTo(last - at);
        assertThat(verification.duplicates()).isZero();
        assertThat(verification.reordered()).isZero();
        assertThat(verification.passed()).isFalse();
    }

    @Property(tries = 40)
    void shouldCountEachDuplicate(
            @ForAll @IntRange(min = 0, max = EVENTS - 1) int from, @ForAll @IntRange(min = 0, max = EVENTS) int to) {
        // Put before its original, the copy is the one that comes first, and the original the duplicate.
        messages.add(to, whole.get(from));

        Verification verification = verify();

        assertThat(verification.duplicates()).isEqualTo(1);
        assertThat(verification.missing()).isZero();
        assertThat(verification.gaps()).isZero();
        assertThat(verification.events()).isEqualTo(EVENTS + 1);
        assertThat(verification.passed()).isFalse();
    }

    @Property(tries = 40)
    void shouldCountEachEventThatComesLate(
            @ForAll @IntRange(min = 0, max = EVENTS - 2) int from, @ForAll @IntRange(min = 1, max = 10) int by) {
        int to = Math.min(from + by, EVENTS - 1);
        Collections.rotate(messages.subList(from, to + 1), -1);

        Verification verification = verify();

        assertThat(verification.reordered()).isEqualTo(1);
        assertThat(verification.missing()).isZero();
        assertThat(verification.duplicates()).isZero();
        assertThat(verification.passed()).isFalse();
    }

    @Property(tries = 100)
    void shouldDetectAnyChangedByteOfAnEvent(
            @ForAll @IntRange(min = 0, max = EVENTS - 1) int at, @ForAll @IntRange(min = 0, max = 48) int index) {
        int content = messages.get(at).length() - TIMES_BYTES;
        messages.set(at, messages.get(at).withByteFlipped(index % content));

        assertThat(verify().passed()).isFalse();
    }

    /** The times at the end of a message say when it was sent; the same events pass, however late they were. */
    @Property(tries = 20)
    void shouldNotCompareTheTimesOfASending(
            @ForAll @IntRange(min = 0, max = EVENTS - 1) int at,
            @ForAll @IntRange(min = 1, max = TIMES_BYTES) int fromEnd) {
        messages.set(at, messages.get(at).withByteFlipped(messages.get(at).length() - fromEnd));

        assertThat(verify().passed()).isTrue();
    }

    @Property(tries = 60)
    void shouldCountAnyDisorderAsAPlainCountDoes(@ForAll @LongRange(min = 1, max = Long.MAX_VALUE) long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 10; i++) {
            switch (random.nextInt(3)) {
                case 0 -> messages.remove(random.nextInt(messages.size()));
                case 1 -> messages.add(random.nextInt(messages.size()), messages.get(random.nextInt(messages.size())));
                default -> Collections.swap(messages, random.nextInt(messages.size()), random.nextInt(messages.size()));
            }
        }
        PlainCount expected = PlainCount.of(messages);

        Verification verification = verify();

        assertThat(verification.missing()).isEqualTo(expected.missing());
        assertThat(verification.gaps()).isEqualTo(expected.gaps());
        assertThat(verification.duplicates()).isEqualTo(expected.duplicates());
        assertThat(verification.reordered()).isEqualTo(expected.reordered());
    }

    @Example
    void shouldCountWhatIsNoEvent() {
        messages.add(5, TestFeed.heartbeat(5));

        Verification verification = verify();

        assertThat(verification.unreadable()).isEqualTo(1);
        assertThat(verification.events()).isEqualTo(EVENTS);
        assertThat(verification.passed()).isFalse();
    }

    @Example
    void shouldCountWhatFollowsTheTrailer() {
        messages.add(30, TestFeed.trailer(whole.subList(0, 30)));

        Verification verification = verify();

        assertThat(verification.events()).isEqualTo(30);
        assertThat(verification.afterTrailer()).isEqualTo(11);
        assertThat(verification.passed()).isFalse();
    }

    private Verification verify() {
        List<Message> withTrailer = new ArrayList<>(messages);
        withTrailer.add(TestFeed.trailer(whole));
        TestFeed.writeUnchecked(directory, withTrailer);
        return JournalVerifier.verify(directory);
    }

    private static Path temporaryDirectory() {
        try {
            return Files.createTempDirectory("naklab-journal");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same counts with sets and a sorted list, for a feed of {@link #EVENTS} events. */
    private record PlainCount(long missing, long gaps, long duplicates, long reordered) {
        static PlainCount of(List<Message> messages) {
            Set<Long> seen = new HashSet<>();
            long highest = 0;
            long duplicates = 0;
            long reordered = 0;
            for (Message message : messages) {
                long sequence = FeedMessages.sequence(message.buffer(), 0);
                if (!seen.add(sequence)) {
                    duplicates++;
                } else if (sequence < highest) {
                    reordered++;
                }
                highest = Math.max(highest, sequence);
            }
            long gaps = 0;
            for (long sequence = 1; sequence <= EVENTS; sequence++) {
                if (!seen.contains(sequence) && (sequence == 1 || seen.contains(sequence - 1))) {
                    gaps++;
                }
            }
            return new PlainCount(EVENTS - seen.size(), gaps, duplicates, reordered);
        }
    }
}
