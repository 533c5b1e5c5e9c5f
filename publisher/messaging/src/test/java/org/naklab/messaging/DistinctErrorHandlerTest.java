package org.naklab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.testing.host.FreePorts;

/** Whoever can cause errors as fast as datagrams arrive cannot fill the log with them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class DistinctErrorHandlerTest {
    private final RecordingLogger log = new RecordingLogger();
    private final DistinctErrorHandler handler = new DistinctErrorHandler("mds", log);

    @Test
    void shouldLogTheFirstErrorAtOnceAndTheirNumberAtTheEnd() {
        List<Throwable> errors =
                IntStream.range(0, 1_000).mapToObj(this::malformed).toList();
        handler.onError(errors.get(0));
        assertThat(log.lines).containsExactly("ERROR mds: java.lang.IllegalArgumentException: datagram 0");

        errors.stream().skip(1).forEach(handler::onError);
        assertThat(log.lines).hasSize(1);
        assertThat(log.traces).containsExactly(errors.get(0));

        handler.close();
        assertThat(log.lines)
                .hasSize(2)
                .last()
                .asString()
                .startsWith("ERROR mds: 1000 times in all: java.lang.IllegalArgumentException at ")
                .contains("malformed");
        assertThat(log.traces).hasSize(1);
    }

    @Test
    void shouldCountNothingThatCameOnce() {
        handler.onError(malformed(7));
        handler.close();

        assertThat(log.lines).containsExactly("ERROR mds: java.lang.IllegalArgumentException: datagram 7");
    }

    @Test
    void shouldTellErrorsOfAnotherPlaceOrClassApart() {
        for (int i = 0; i < 3; i++) {
            handler.onError(at(new IllegalArgumentException("argument"), 1));
            handler.onError(at(new IllegalArgumentException("argument"), 2));
            handler.onError(at(new IllegalStateException("state"), 1));
            handler.onError(placeless());
        }
        assertThat(log.lines)
                .containsExactly(
                        "ERROR mds: java.lang.IllegalArgumentException: argument",
                        "ERROR mds: java.lang.IllegalArgumentException: argument",
                        "ERROR mds: java.lang.IllegalStateException: state",
                        "ERROR mds: java.lang.IllegalStateException");
        log.lines.clear();
        handler.close();

        assertThat(log.lines)
                .containsExactlyInAnyOrder(
                        "ERROR mds: 3 times in all: java.lang.IllegalArgumentException at Place.of(Place.java:1)",
                        "ERROR mds: 3 times in all: java.lang.IllegalArgumentException at Place.of(Place.java:2)",
                        "ERROR mds: 3 times in all: java.lang.IllegalStateException at Place.of(Place.java:1)",
                        "ERROR mds: 3 times in all: java.lang.IllegalStateException");
    }

    @Test
    void shouldCountWhatIsBeyondTheKindsThatItKnows() {
        List<Throwable> errors = new ArrayList<>();
        for (int i = 1; i <= DistinctErrorHandler.MAX_KINDS + 5; i++) {
            errors.add(at(new IllegalStateException("state"), i));
        }
        errors.forEach(handler::onError);
        assertThat(log.lines).hasSize(DistinctErrorHandler.MAX_KINDS);
        log.lines.clear();

        handler.onError(errors.get(0));
        handler.close();

        assertThat(log.lines)
                .containsExactly(
                        "ERROR mds: 2 times in all: java.lang.IllegalStateException at Place.of(Place.java:1)",
                        "ERROR mds: 5 errors of other kinds");
    }

    @Test
    void shouldTellTheNumbersWhenItsContextCloses() {
        MessagingContext.Context settings = new Contexts(FreePorts.pair())
                .named("mds", TransportProfile.LBTRM)
                .errorHandler(handler);
        try (MessagingContext context = MessagingContext.launch(settings)) {
            context.start();
            settings.errorHandler().onError(malformed(1));
            settings.errorHandler().onError(malformed(2));
            assertThat(log.lines).hasSize(1);
        }
        assertThat(log.lines).hasSize(2).last().asString().startsWith("ERROR mds: 2 times in all: ");
    }

    @Test
    void shouldBeWhatAContextHasByDefault() {
        assertThat(new MessagingContext.Context().errorHandler()).isInstanceOf(DistinctErrorHandler.class);
    }

    /** Errors of one kind: they differ in what they say. */
    private Throwable malformed(int number) {
        return new IllegalArgumentException("datagram " + number);
    }

    private static Throwable at(Throwable error, int line) {
        error.setStackTrace(new StackTraceElement[] {new StackTraceElement("Place", "of", "Place.java", line)});
        return error;
    }

    /** As the JVM throws it when it has thrown it often: without a message, and without a trace. */
    private static Throwable placeless() {
        Throwable error = new IllegalStateException();
        error.setStackTrace(new StackTraceElement[0]);
        return error;
    }
}
