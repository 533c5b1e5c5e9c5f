package org.naklab.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.journaler.Verification;
import org.naklab.lab.core.Json;
import org.naklab.lab.instruments.threads.DutyCycleInstrument;
import org.naklab.lab.process.Role;
import org.naklab.lab.records.ExchangeRecord;
import org.naklab.lab.records.ForeignTrafficRecord;
import org.naklab.lab.records.SubscriberRecord;
import org.naklab.lab.records.TransportRecord;
import org.naklab.lab.replica.exchange.ArrivalPattern;
import org.naklab.lab.replica.exchange.ExchangeConfig;
import org.naklab.lab.replica.exchange.ExchangeProcess;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.replica.service.ServiceProcess;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.replica.transport.IdleMode;
import org.naklab.lab.replica.transport.TransportConfig;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.feed.FeedId;
import org.naklab.messaging.publication.RateLimit;
import org.naklab.messaging.publication.RateLimitMode;

/** The documents that go into a container and come out of it mean to the replica what they mean here. */
@Timeout(60)
class ReplicaDocumentsTest {
    private static TransportConfig transport(String process, long seed) {
        return new TransportConfig(
                process,
                new TopicChannels(process, 1, 20_200),
                TransportProfile.LBTRM,
                "/dev/shm/naklab/aeron",
                0,
                0,
                seed,
                FeedId.UNKNOWN,
                DutyCycleInstrument.DEFAULT_STALL_THRESHOLD_NS,
                IdleMode.BACKOFF);
    }

    private static ServiceConfig subscriber(Role role, @Nullable String journal, String directory) {
        return new ServiceConfig(
                transport("mds", 7),
                role,
                journal,
                directory + "/loss-report.dat",
                1 << 16,
                RateLimitMode.TRANSPORT,
                10_000_000,
                RateLimit.INCIDENT_INTERVAL_NS);
    }

    @Test
    void shouldConfigureTheExchange() {
        Object document = ReplicaDocuments.Exchange.of("exchange", 7, 2_000, Duration.ofSeconds(5));

        assertThat(Json.fromLine(Json.line(document), ExchangeConfig.class))
                .isEqualTo(new ExchangeConfig(
                        transport("exchange", 7),
                        null,
                        8,
                        ArrivalPattern.CONSTANT,
                        2_000,
                        0,
                        TimeUnit.SECONDS.toNanos(1),
                        null,
                        TimeUnit.SECONDS.toNanos(5),
                        null,
                        null));
    }

    @Test
    void shouldConfigureAServiceAndAGateway() {
        Object service = ReplicaDocuments.Subscriber.of("mds", 7, "/journal");
        Object gateway = ReplicaDocuments.Subscriber.of("mds", 7, null);

        assertThat(Json.fromLine(Json.line(service), ServiceConfig.class))
                .isEqualTo(subscriber(Role.SERVICE, "/journal/journal", "/journal"));
        assertThat(Json.fromLine(Json.line(gateway), ServiceConfig.class))
                .isEqualTo(subscriber(Role.GATEWAY, null, "/tmp"));
    }

    @Test
    void shouldNameTheMainClassesOfTheReplica() {
        assertThat(ExchangeContainer.MAIN_CLASS).isEqualTo(ExchangeProcess.class.getName());
        assertThat(MarketDataServiceContainer.MAIN_CLASS).isEqualTo(ServiceProcess.class.getName());
    }

    @Test
    void shouldReadTheReportOfAReceiver() {
        ServiceReport written = new ServiceReport(
                new SubscriberRecord(
                        "mds",
                        Role.SERVICE.name(),
                        new SubscriberRecord.Events(1, 2, 3, 4, 5),
                        new SubscriberRecord.Flow(6, 7, 8, 9),
                        new SubscriberRecord.End(10, 11, true, false),
                        new SubscriberRecord.Intake(
                                12,
                                new TransportRecord(13, 14, 15, 16, 17, 18),
                                true,
                                new ForeignTrafficRecord(0, 0, 0, 0),
                                ""),
                        new SubscriberRecord.Effects(Map.of(), 3L, 1.5, null)),
                null,
                null,
                null);

        assertThat(Json.fromLine(Json.line(written), ReceiverReport.Written.class)
                        .report())
                .isEqualTo(new ReceiverReport("mds", true, 1, 3, 2, 13, 10, true, false));
    }

    @Test
    void shouldReadTheReportOfTheExchange() {
        ExchangeRecord written = new ExchangeRecord(
                new ExchangeRecord.Sent(1, 2, 3),
                new ExchangeRecord.End(true, null),
                new ExchangeRecord.Intake(
                        new TransportRecord(13, 14, 15, 16, 17, 18), new ForeignTrafficRecord(0, 0, 0, 0), ""),
                Map.of());

        assertThat(Json.fromLine(Json.line(written), ExchangeReport.class)).isEqualTo(new ExchangeReport(1, 2, true));
    }

    @Test
    void shouldReadTheVerificationOfAJournal() {
        Verification written = new Verification(
                Path.of("journal"), 1, 2, 3, 4, 5, 6, 7, 8, 9, true, true, 10, 11, 12, 2, 13, 14, 15, 16, List.of());

        assertThat(Json.fromLine(Json.line(written), JournalVerification.Written.class)
                        .verification(true))
                .isEqualTo(new JournalVerification(true, 1, 5, 6, 7, 15));
    }
}
