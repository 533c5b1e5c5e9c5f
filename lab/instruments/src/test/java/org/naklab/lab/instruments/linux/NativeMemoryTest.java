package org.naklab.lab.instruments.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.testing.Await;

@Timeout(60)
final class NativeMemoryTest {
    private static final int LENGTH = 64;
    private static final long VALUE = 42;

    @Test
    void shouldKeepItsBytesWhileTheViewIsReachable() {
        List<UnsafeBuffer> views = new ArrayList<>();
        List<WeakReference<NativeMemory>> memories = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            NativeMemory memory = new NativeMemory(LENGTH);
            fill(memory.view(), VALUE);
            memories.add(new WeakReference<>(memory));
            views.add(memory.view());
        }
        Await.until("the collection of the objects", () -> {
            System.gc();
            return memories.stream().allMatch(memory -> memory.get() == null);
        });
        for (int i = 0; i < 1_000; i++) {
            fill(new NativeMemory(LENGTH).view(), -1);
        }
        assertThat(views)
                .extracting(view -> view.getLong(0), view -> view.getLong(LENGTH - Long.BYTES))
                .containsOnly(tuple(VALUE, VALUE));
    }

    private static void fill(UnsafeBuffer view, long value) {
        for (int offset = 0; offset < LENGTH; offset += Long.BYTES) {
            view.putLong(offset, value);
        }
    }
}
