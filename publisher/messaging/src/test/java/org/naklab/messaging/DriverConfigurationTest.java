package org.naklab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.driver.Configuration;
import io.aeron.driver.MaxMulticastFlowControl;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.naklab.messaging.lbtrm.LbtrmFlowControl;
import org.naklab.messaging.lbtrm.UniformNakBackOff;
import org.naklab.testing.host.FreePorts;

@Timeout(60)
class DriverConfigurationTest {
    private final Contexts contexts = new Contexts(FreePorts.pair());

    @Test
    void shouldIgnoreReceiversInLbtrm() {
        MediaDriver.Context driver = driver(contexts.named("mds", TransportProfile.LBTRM));

        assertThat(driver.multicastFlowControlSupplier().newInstance(null, 0, 0))
                .isInstanceOf(LbtrmFlowControl.class);
        assertThat(driver.multicastFeedbackDelayGenerator()).isInstanceOf(UniformNakBackOff.class);
        assertThat(driver.congestionControlSupplier()
                        .newInstance(0, null, 0, 0, 1 << 24, 1408, null, null, null, null, null)
                        .maxWindowLength())
                .isEqualTo(1 << 23);
    }

    @Test
    void shouldLeaveAeronsDefaultsInAeron() {
        MediaDriver.Context driver = driver(contexts.named("mds", TransportProfile.AERON));

        assertThat(driver.multicastFlowControlSupplier().newInstance(null, 0, 0))
                .isInstanceOf(MaxMulticastFlowControl.class);
        assertThat(driver.socketRcvbufLength()).isEqualTo(Configuration.SOCKET_RCVBUF_LENGTH_DEFAULT);
        assertThat(driver.initialWindowLength()).isEqualTo(Configuration.INITIAL_WINDOW_LENGTH_DEFAULT);
        assertThat(driver.multicastFeedbackDelayGenerator()).isNull();
        assertThat(driver.congestionControlSupplier()).isNull();
    }

    @ParameterizedTest
    @EnumSource(TransportProfile.class)
    void shouldOutliveAPauseOfAMinute(TransportProfile profile) {
        MediaDriver.Context driver = driver(contexts.named("mds", profile));

        assertThat(driver.threadingMode()).isEqualTo(ThreadingMode.INVOKER);
        assertThat(driver.clientLivenessTimeoutNs()).isGreaterThanOrEqualTo(TimeUnit.MINUTES.toNanos(1));
        assertThat(driver.publicationConnectionTimeoutNs()).isGreaterThanOrEqualTo(TimeUnit.MINUTES.toNanos(1));
    }

    @Test
    void shouldTellReceiversOfOneSeedApart() {
        long first = driver(contexts.named("gateway-1", TransportProfile.LBTRM).seed(1))
                .multicastFeedbackDelayGenerator()
                .generateDelayNs();
        long second = driver(contexts.named("gateway-2", TransportProfile.LBTRM).seed(1))
                .multicastFeedbackDelayGenerator()
                .generateDelayNs();

        assertThat(first).isNotEqualTo(second);
    }

    private MediaDriver.Context driver(MessagingContext.Context settings) {
        return DriverConfiguration.driver(settings, new ReceiveSockets(settings), contexts.errors::add);
    }
}
