package org.naklab.lab.records;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.Json;

/** The counters of the processes, and what is made of them. */
@Timeout(60)
final class CountersTest {
    private static final TransportRecord EARLIER =
            new TransportRecord(1, 20, 300, 4_000, 50_000, 6, new TransportRecord.Order(7L, 80L));
    private static final TransportRecord LATER =
            new TransportRecord(11, 52, 363, 4_104, 50_205, 12, new TransportRecord.Order(17L, 98L));

    @Test
    void shouldCountSinceAnEarlierRecordButForErrors() {
        assertThat(LATER.since(EARLIER))
                .isEqualTo(new TransportRecord(10, 32, 63, 104, 205, 12, new TransportRecord.Order(10L, 18L)));
        assertThat(LATER.since(LATER)).isEqualTo(new TransportRecord(0, 0, 0, 0, 0, 12));
    }

    @Test
    void shouldAddTheCountersOfTwoTransports() {
        assertThat(EARLIER.plus(LATER))
                .isEqualTo(LATER.plus(EARLIER))
                .isEqualTo(new TransportRecord(12, 72, 663, 8_104, 100_205, 18, new TransportRecord.Order(24L, 178L)));
        assertThat(EARLIER.plus(LATER).since(LATER).order()).isEqualTo(EARLIER.order());
    }

    /** Of two transports one of which did not count, the sum is not known. */
    @Test
    void shouldNotTakeWhatWasNotCountedForZero() {
        TransportRecord uncounted = Json.fromLine("{\"naksSent\":5,\"repeatedDatagrams\":3}", TransportRecord.class);

        assertThat(uncounted.plus(LATER).order())
                .isEqualTo(LATER.plus(uncounted).order())
                .isEqualTo(new TransportRecord.Order(null, 101L));
        assertThat(LATER.since(uncounted).order()).isEqualTo(new TransportRecord.Order(null, 95L));
        assertThat(uncounted.since(uncounted).order()).isEqualTo(new TransportRecord.Order(null, 0L));
        assertThat(uncounted.plus(LATER).naksSent()).isEqualTo(16);
    }

    @Test
    void shouldNotWriteWhatATransportDidNotCount() {
        TransportRecord uncounted = Json.fromLine("{\"naksSent\":5}", TransportRecord.class);

        assertThat(uncounted.order().overtaken()).isZero();
        assertThat(uncounted.order().repeated()).isZero();
        assertThat(Json.line(uncounted))
                .isEqualTo("{\"naksSent\":5,\"naksReceived\":0,\"retransmitsSent\":0,\"retransmittedBytes\":0,"
                        + "\"receiverOverruns\":0,\"errors\":0}");
        assertThat(Json.line(new TransportRecord(5, 0, 0, 0, 0, 0)))
                .endsWith("\"overtakenDatagrams\":0,\"repeatedDatagrams\":0}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        0    | 0 | 0 | 0 | none
        1    | 0 | 0 | 0 | 1 foreign datagram
        1200 | 0 | 0 | 1 | 1,200 foreign datagrams, 1 ignored message
        0    | 2 | 1 | 3 | 2 invalid datagrams, 1 rejected message, 3 ignored messages
        """)
    void shouldDescribeForeignTraffic(long foreign, long invalid, long rejected, long ignored, String description) {
        assertThat(new ForeignTrafficRecord(foreign, invalid, rejected, ignored).describe())
                .isEqualTo(description);
    }

    @ParameterizedTest
    @CsvSource({
        // published, received, missing as it knew, complete as it knew, missing, complete
        "100, 100, 0, true, 0, true",
        "100, 90, 0, true, 10, false",
        "100, 90, 10, false, 10, false",
        "100, 90, 12, false, 12, false",
        "100, 101, 0, true, 0, true",
        "100, 100, 0, false, 0, false"
    })
    void shouldCountWhatWasPublishedAndNotReceivedAsMissing(
            long published, long received, long known, boolean knownComplete, long missing, boolean isComplete) {
        SubscriberRecord given = subscriber();
        SubscriberRecord report = new SubscriberRecord(
                given.name(),
                given.role(),
                new SubscriberRecord.Events(received, 80, known, 3, 4),
                given.flow(),
                new SubscriberRecord.End(1, 2, true, knownComplete),
                given.intake(),
                given.effects());

        SubscriberRecord judged = report.ofPublished(published);
        assertThat(judged.events()).isEqualTo(new SubscriberRecord.Events(received, 80, missing, 3, 4));
        assertThat(judged.end()).isEqualTo(new SubscriberRecord.End(1, 2, true, isComplete));
        assertThat(judged.intake()).isEqualTo(given.intake());
        assertThat(judged.effects()).isEqualTo(given.effects());
    }

    @Test
    void shouldChangeOneFigureAndKeepTheOthers() {
        SubscriberRecord given = subscriber();
        SubscriberRecord changed = given.withTransport(LATER).withBackPressure(77);

        assertThat(changed.intake().transport()).isEqualTo(LATER);
        assertThat(changed.flow()).isEqualTo(new SubscriberRecord.Flow(77, 1_720, 0, 14));
        assertThat(changed.withTransport(given.intake().transport()).withBackPressure(0))
                .isEqualTo(given);
    }

    @Test
    void shouldTellTheServiceFromAGatewayByItsRole() {
        SubscriberRecord gateway =
                Json.fromLine("{\"name\":\"mds\",\"role\":\"GATEWAY\",\"journaled\":0}", SubscriberRecord.class);

        assertThat(subscriber().servesData()).isTrue();
        assertThat(gateway.servesData()).isFalse();
    }

    @Test
    void shouldKeepNothingThatRemainsOfTheFaultsOfTheExchange() {
        Map<String, FaultRecord> faults = Map.of("loss", new FaultRecord(true, FaultRecord.Proof.NONE, "a rule"));
        ExchangeRecord exchange = new ExchangeRecord(
                new ExchangeRecord.Sent(10, 5, 1),
                new ExchangeRecord.End(false, "out of memory"),
                new ExchangeRecord.Intake(LATER, null, "ff"),
                faults);

        assertThat(exchange.kept())
                .isEqualTo(new ExchangeRecord(
                        exchange.sent(),
                        exchange.end(),
                        exchange.intake(),
                        Map.of("loss", new FaultRecord(true, FaultRecord.Proof.NONE))));
        assertThat(Json.fromLine(Json.line(exchange.kept()), ExchangeRecord.class))
                .isEqualTo(exchange.kept());
    }

    @Test
    void shouldTellAFaultThatLeftNoProofFromOneThatDidNotFire() {
        FaultRecord silent = Json.fromLine("{\"armed\":true,\"proof\":null}", FaultRecord.class);
        FaultRecord fired = Json.fromLine(
                "{\"armed\":true,\"proof\":{\"fired\":true,\"figures\":{\"dropped\":3},"
                        + "\"firings\":[{\"beginNs\":5,\"endNs\":25,\"what\":\"a datagram\"}]}}",
                FaultRecord.class);

        assertThat(silent.given()).isNull();
        assertThat(silent.proof()).isEqualTo(FaultRecord.Proof.NONE);
        assertThat(silent.proof().fired()).isFalse();
        assertThat(Json.line(silent)).isEqualTo("{\"armed\":true,\"proof\":null}");
        assertThat(fired.proof().figure("dropped")).isEqualTo(3);
        assertThat(fired.proof().figure("delayed")).isZero();
        assertThat(fired.proof().firings())
                .extracting(FaultRecord.Firing::durationNs)
                .isEqualTo(List.of(20L));
    }

    private static SubscriberRecord subscriber() {
        return Json.value(RunFiles.run(), RunRecord.class).service().orElseThrow();
    }
}
