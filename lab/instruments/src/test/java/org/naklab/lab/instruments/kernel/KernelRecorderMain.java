package org.naklab.lab.instruments.kernel;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;

/** Prints the records of some processes as JSON lines until standard input ends: {@code KernelRecorderMain PID...}. For trying it. */
public final class KernelRecorderMain {
    private static final int BYTES = 4096;

    private KernelRecorderMain() {}

    /**
     * Runs the recorder.
     *
     * @param arguments process ids
     * @throws Exception standard input cannot be read
     */
    public static void main(String[] arguments) throws Exception {
        List<Long> pids = Arrays.stream(arguments).map(Long::valueOf).toList();
        ObjectMapper mapper = new ObjectMapper();
        try (KernelRecorder recorder =
                KernelRecorder.start(pids, RecorderSettings.DEFAULT, kernelRecord -> print(mapper, kernelRecord))) {
            recorder.missing().forEach(System.err::println);
            System.err.println(recorder.source().description());
            byte[] ignored = new byte[BYTES];
            while (System.in.read(ignored) >= 0) {}
        }
    }

    private static void print(ObjectMapper mapper, KernelRecord kernelRecord) {
        try {
            System.out.println(kernelRecord.getClass().getSimpleName() + ' ' + mapper.writeValueAsString(kernelRecord));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
