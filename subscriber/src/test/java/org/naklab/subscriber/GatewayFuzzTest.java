package org.naklab.subscriber;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Any messages to a gateway. */
final class GatewayFuzzTest {
    @FuzzTest(maxDuration = "4s")
    void shouldApplyCountOrRefuse(byte[] input) {
        new FuzzedFeed().intoBooks(input);
    }
}
