package org.naklab.journaler.derived;

import java.nio.file.Path;
import org.naklab.messaging.feed.OrderEvent;

/** Writes the surveillance format: a record of fixed length for every event, with the market as it was after it. */
public final class SurveillanceFiles implements DerivedSink {
    /** What the files' names end with. */
    public static final String SUFFIX = "surv";

    private final SurveillanceLayout layout = new SurveillanceLayout();
    private final TopOfBook top = new TopOfBook();
    private final RollingFile file;

    public SurveillanceFiles(Path directory, RollPolicy policy) {
        file = new RollingFile(directory, "surveillance", SUFFIX, SurveillanceLayout.header(), policy);
    }

    @Override
    public void onEvent(OrderEvent event, long receiveTimestampNs, BookView books) {
        top.update(books, event.instrumentId);
        layout.write(event, receiveTimestampNs, top);
        file.append(receiveTimestampNs, layout.bytes(), SurveillanceLayout.RECORD_BYTES);
    }

    /** Records written. */
    public long records() {
        return file.records();
    }

    /** Files begun. */
    public int files() {
        return file.files();
    }

    @Override
    public void flush() {
        file.flush();
    }

    @Override
    public void close() {
        file.close();
    }
}
