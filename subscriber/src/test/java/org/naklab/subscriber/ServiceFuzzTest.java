package org.naklab.subscriber;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Any messages to a service. */
final class ServiceFuzzTest {
    @FuzzTest(maxDuration = "4s")
    void shouldJournalCountOrRefuse(byte[] input) {
        new FuzzedFeed().intoJournal(input);
    }
}
