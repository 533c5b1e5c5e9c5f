package org.naklab.lab.records;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.Json;

@Timeout(60)
final class MessagesTest {
    @Test
    void shouldNeverMissMoreThanWasPublished() {
        RunDocument.Messages messages = new RunDocument.Messages(
                2_000_000,
                200_000,
                200_000,
                List.of(
                        new RunDocument.Messages.Receiver("mds", 1_800_000, 3, 1),
                        new RunDocument.Messages.Receiver("gateway-1", 1_731_480, 0, 2)));

        assertThat(messages.missing()).isEqualTo(1_800_000).isLessThanOrEqualTo(messages.published());
        assertThat(messages.duplicated()).isEqualTo(3);
        assertThat(messages.sentence())
                .isEqualTo("mds 1,800,000 missing, 3 twice, 1 out of order; "
                        + "gateway-1 1,731,480 missing, 0 twice, 2 out of order");
        assertThat(Json.fromLine(Json.line(messages), RunDocument.Messages.class))
                .isEqualTo(messages);
    }

    @Test
    void shouldReadTheSumOfAnEarlierVersionAsSuch() {
        RunDocument.Messages messages = Json.fromLine(
                "{\"published\":2000,\"received\":0,\"journaled\":0,\"missing\":3531,\"duplicated\":0,\"reordered\":0}",
                RunDocument.Messages.class);

        assertThat(messages.sentence()).isEqualTo("of all receivers: 3,531 missing, 0 twice, 0 out of order");
    }
}
