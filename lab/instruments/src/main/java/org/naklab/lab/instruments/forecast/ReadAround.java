package org.naklab.lab.instruments.forecast;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.naklab.lab.instruments.linking.PendingBind.FilePage;

/** Follows the reads that page faults in mapped files cause: the kernel reads as many pages around the missing one as it reads ahead (mm/filemap.c). */
final class ReadAround {
    private ReadAround() {}

    /**
     * Returns the pages at which a thread waits for a read.
     *
     * @param pages in the order in which the thread first touches them
     * @param isMissing whether a page is not in memory when the thread comes to it, unless a read before has brought it
     * @param window number of pages that the kernel reads around one of the file
     */
    static List<FilePage> reads(List<FilePage> pages, Predicate<FilePage> isMissing, ToIntFunction<FilePage> window) {
        Map<Path, BitSet> brought = new HashMap<>();
        List<FilePage> reads = new ArrayList<>();
        for (FilePage page : pages) {
            BitSet file = brought.computeIfAbsent(page.file(), any -> new BitSet());
            int number = (int) page.number();
            if (!file.get(number) && isMissing.test(page)) {
                int width = Math.max(1, window.applyAsInt(page));
                int first = Math.max(0, number - width / 2);
                file.set(first, first + width);
                file.set(number);
                reads.add(page);
            }
        }
        return reads;
    }
}
