package org.naklab.faults.host;

import com.google.auto.service.AutoService;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.Limits;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;

/**
 * Memory pressure: memory that stays resident, and a file written through a mapping, whose pages compete with mapped libraries
 * as those of a journal do.
 */
@AutoService(FaultKind.class)
public final class MemoryPressureFault implements FaultKind {
    private static final long MIB = 1 << 20;

    /**
     * As in a plan.
     *
     * @param residentMib memory to take and touch; 0 if left out
     * @param pageCacheMib size of the mapped file, which is written over and over; 0 if left out
     * @param limitMib both together may not be more; at most 65,536
     * @param directory where the file lies: on a disk, not in memory; the directory for temporary files if left out
     */
    public record Parameters(
            long residentMib,
            long pageCacheMib,
            long limitMib,
            @Nullable String directory) {
        public Parameters {
            Limits.within("limitMib", limitMib, 1, 65_536);
            Limits.within("residentMib", residentMib, 0, limitMib);
            Limits.within("pageCacheMib", pageCacheMib, 0, limitMib);
            Limits.within("residentMib and pageCacheMib together", residentMib + pageCacheMib, 1, limitMib);
        }

        long residentBytes() {
            return residentMib * MIB;
        }

        long pageCacheBytes() {
            return pageCacheMib * MIB;
        }

        Path directoryOrDefault() {
            return Path.of(directory == null ? System.getProperty("java.io.tmpdir") : directory);
        }
    }

    @Override
    public String name() {
        return "memory-pressure";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("Memory is taken, and a mapped file written over and over, as a journal does")
                .with(
                        FaultParameter.size("residentMib", 0, 65_536, "memory that stays resident")
                                .orElse("0"),
                        FaultParameter.size("pageCacheMib", 0, 65_536, "size of the mapped file")
                                .orElse("0"),
                        FaultParameter.size("limitMib", 1, 65_536, "upper bound of both together"),
                        FaultParameter.text(
                                        "directory", "where the file is: on a disk (default: that of temporary files)")
                                .optional())
                .proof("resident memory grew by most of resident, and the file was written at least once")
                .example("memory-pressure:resident=64MiB,pageCache=512MiB,limit=600MiB,directory=/var/tmp,for=5s");
    }

    @Override
    public String privileges() {
        return "none; residentMib needs as much room under -XX:MaxDirectMemorySize";
    }

    /** It takes from all processes of the machine. */
    @Override
    public boolean reachesOthers(FaultSpec spec) {
        return true;
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        Parameters parameters = spec.parametersAs(Parameters.class);
        Path directory = parameters.directoryOrDefault();
        if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
            throw new FaultException(directory + " is not a directory that can be written to");
        }
        return new MemoryPressure(parameters, directory);
    }
}
