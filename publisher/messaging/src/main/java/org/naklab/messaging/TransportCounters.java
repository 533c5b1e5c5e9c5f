package org.naklab.messaging;

import static io.aeron.driver.status.SystemCounterDescriptor.BYTES_RECEIVED;
import static io.aeron.driver.status.SystemCounterDescriptor.BYTES_SENT;
import static io.aeron.driver.status.SystemCounterDescriptor.FLOW_CONTROL_OVER_RUNS;
import static io.aeron.driver.status.SystemCounterDescriptor.FLOW_CONTROL_UNDER_RUNS;
import static io.aeron.driver.status.SystemCounterDescriptor.INVALID_PACKETS;
import static io.aeron.driver.status.SystemCounterDescriptor.NAK_MESSAGES_RECEIVED;
import static io.aeron.driver.status.SystemCounterDescriptor.NAK_MESSAGES_SENT;
import static io.aeron.driver.status.SystemCounterDescriptor.RETRANSMITS_SENT;
import static io.aeron.driver.status.SystemCounterDescriptor.RETRANSMITTED_BYTES;
import static io.aeron.driver.status.SystemCounterDescriptor.SENDER_FLOW_CONTROL_LIMITS;
import static io.aeron.driver.status.SystemCounterDescriptor.SHORT_SENDS;

import io.aeron.AeronCounters;
import io.aeron.CncFileDescriptor;
import io.aeron.driver.reports.LossReportReader;
import io.aeron.driver.reports.LossReportUtil;
import io.aeron.driver.status.SystemCounterDescriptor;
import java.io.File;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * The driver's counters and loss report in a mapping of its own: any thread may read them at any time, also after the driver
 * has closed and its directory is deleted.
 */
final class TransportCounters {
    private final CountersReader reader;
    private final UnsafeBuffer lossReport;
    private final LongSupplier errors;
    private final ReceiveSockets receiveSockets;

    /**
     * @param aeronDirectory of a running driver
     * @param errors counts what the error handler was told
     * @param receiveSockets count what they did not let in
     */
    TransportCounters(File aeronDirectory, LongSupplier errors, ReceiveSockets receiveSockets) {
        this.receiveSockets = receiveSockets;
        MappedByteBuffer cnc = IoUtil.mapExistingFile(new File(aeronDirectory, CncFileDescriptor.CNC_FILE), "counters");
        UnsafeBuffer metaData = CncFileDescriptor.createMetaDataBuffer(cnc);
        this.reader = new CountersReader(
                CncFileDescriptor.createCountersMetaDataBuffer(cnc, metaData),
                CncFileDescriptor.createCountersValuesBuffer(cnc, metaData));
        this.lossReport =
                new UnsafeBuffer(IoUtil.mapExistingFile(LossReportUtil.file(aeronDirectory.getPath()), "loss report"));
        this.errors = errors;
    }

    CountersReader reader() {
        return reader;
    }

    TransportStatistics statistics() {
        return new TransportStatistics(
                new TransportStatistics.Repair(
                        value(NAK_MESSAGES_SENT),
                        value(NAK_MESSAGES_RECEIVED),
                        value(RETRANSMITS_SENT),
                        value(RETRANSMITTED_BYTES)),
                new TransportStatistics.Limits(
                        value(FLOW_CONTROL_OVER_RUNS),
                        value(FLOW_CONTROL_UNDER_RUNS),
                        value(SENDER_FLOW_CONTROL_LIMITS),
                        value(SHORT_SENDS)),
                new TransportStatistics.Bytes(value(BYTES_SENT), value(BYTES_RECEIVED)),
                errors.getAsLong(),
                new TransportStatistics.Foreign(
                        receiveSockets.foreignDatagrams(), receiveSockets.invalidDatagrams() + value(INVALID_PACKETS)),
                new TransportStatistics.Order(receiveSockets.overtakenDatagrams(), receiveSockets.repeatedDatagrams()));
    }

    List<LossEntry> lossEntries() {
        List<LossEntry> entries = new ArrayList<>();
        LossReportReader.read(
                lossReport,
                (observations, bytesLost, first, last, sessionId, streamId, channel, source) ->
                        entries.add(new LossEntry(
                                new LossEntry.Loss(observations, bytesLost, first, last),
                                new LossEntry.Stream(sessionId, streamId, channel, source))));
        return List.copyOf(entries);
    }

    void copyLossReport(Path file) throws IOException {
        byte[] bytes = new byte[lossReport.capacity()];
        lossReport.getBytes(0, bytes);
        Files.write(file, bytes);
    }

    /** Bytes of a publication that have left by the socket; 0 before the driver has made it. */
    long senderPosition(long registrationId) {
        int counterId =
                reader.findByTypeIdAndRegistrationId(AeronCounters.DRIVER_SENDER_POSITION_TYPE_ID, registrationId);
        return counterId == CountersReader.NULL_COUNTER_ID ? 0 : reader.getCounterValue(counterId);
    }

    private long value(SystemCounterDescriptor counter) {
        return reader.getCounterValue(counter.id());
    }
}
