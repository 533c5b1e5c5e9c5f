package org.naklab.faults.host;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultProof;
import org.naklab.faults.ProofLog;

/** The threads that read, and how long their reads took. */
final class DiskReads implements Fault {
    private static final String READS = "reads";
    private static final String TOTAL = "totalReadNs";
    private static final String LONGEST = "longestReadNs";
    private static final long JOIN_TIMEOUT_MS = TimeUnit.SECONDS.toMillis(10);

    private final DiskReadsFault.Parameters parameters;
    private final ProofLog log = new ProofLog();
    private final List<DirectFile> files;
    private final List<Thread> threads;
    private volatile boolean armed;
    private volatile String failure = "";

    /** @param files one for each thread */
    DiskReads(DiskReadsFault.Parameters parameters, List<DirectFile> files) {
        this.parameters = parameters;
        this.files = files;
        threads = files.stream()
                .map(file -> new Thread(() -> read(file), "fault-disk-reads"))
                .toList();
    }

    @Override
    public void arm() {
        armed = true;
        threads.forEach(thread -> {
            thread.setDaemon(true);
            thread.start();
        });
    }

    private void read(DirectFile file) {
        try (file) {
            while (armed) {
                long beginNs = System.nanoTime();
                file.readBlock();
                note(beginNs, System.nanoTime());
            }
        } catch (IOException e) {
            failure = "; reading failed: " + e.getMessage();
        }
    }

    private synchronized void note(long beginNs, long endNs) {
        long tookNs = endNs - beginNs;
        log.add(READS, 1);
        log.add(TOTAL, tookNs);
        log.set(LONGEST, Math.max(log.figure(LONGEST), tookNs));
        if (log.wantsMore() && tookNs >= parameters.minReadNs()) {
            log.fired(beginNs, endNs, "read");
        }
    }

    @Override
    public void disarm() {
        if (threads.stream().allMatch(thread -> thread.getState() == Thread.State.NEW)) {
            // No thread will close them.
            files.forEach(this::close);
            return;
        }
        armed = false;
        try {
            for (Thread thread : threads) {
                thread.join(JOIN_TIMEOUT_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void close(DirectFile file) {
        try {
            file.close();
        } catch (IOException e) {
            failure = "; closing failed: " + e.getMessage();
        }
    }

    @Override
    public FaultProof proof() {
        long reads = log.figure(READS);
        boolean isSlow = reads > 0 && log.figure(TOTAL) / reads >= parameters.minReadNs();
        return log.proof(
                isSlow && failure.isEmpty(),
                "the budget of reads was spent all the time",
                (reads == 0 ? "nothing was read" : "reads were not slow: " + log.figure(TOTAL) / reads / 1_000 + " µs")
                        + failure);
    }
}
