package org.naklab.faults.host;

import com.google.auto.service.AutoService;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.Limits;
import org.naklab.faults.Required;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;

/**
 * Disk reads: threads that each read a file past the page cache, one block after the other. Where the reads of a container are
 * limited, they keep its budget spent and stand in line, so that the next page that is missing has to wait for its turn.
 */
@AutoService(FaultKind.class)
public final class DiskReadsFault implements FaultKind {
    /**
     * As in a plan.
     *
     * @param directory where the files lie: on the disk whose reads are limited
     * @param minReadMs the reads must take this long on average, or the budget was never spent; 0 if left out, at most 10,000
     * @param readers how many threads read at the same time; 1 if left out, at most 16
     */
    public record Parameters(String directory, long minReadMs, int readers) {
        public Parameters {
            Required.text("directory", directory);
            Limits.within("minReadMs", minReadMs, 0, 10_000);
            Limits.within("readers", readers, 0, 16);
            readers = Math.max(1, readers);
        }

        long minReadNs() {
            return TimeUnit.MILLISECONDS.toNanos(minReadMs);
        }
    }

    @Override
    public String name() {
        return "disk-reads";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("Threads read files past the page cache and keep the disk busy")
                .with(
                        FaultParameter.text("directory", "where the files are: on the disk to keep busy"),
                        FaultParameter.duration("minReadMs", 0, 10_000, "average length of a read, as the proof")
                                .orElse("0"),
                        FaultParameter.count("readers", 1, 16, "threads that read at the same time")
                                .orElse("1"))
                .proof("the reads took at least minRead on average")
                .example("disk-reads:directory=/var/tmp,readers=3,for=5s");
    }

    @Override
    public String privileges() {
        return "none; a file system with direct I/O";
    }

    /** It takes from all processes of the machine. */
    @Override
    public boolean reachesOthers(FaultSpec spec) {
        return true;
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        Parameters parameters = spec.parametersAs(Parameters.class);
        Path directory = Path.of(parameters.directory());
        if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
            throw new FaultException(directory + " is not a directory that can be written to");
        }
        List<DirectFile> files = new ArrayList<>();
        for (int i = 0; i < parameters.readers(); i++) {
            files.add(DirectFile.create(directory));
        }
        return new DiskReads(parameters, files);
    }
}
