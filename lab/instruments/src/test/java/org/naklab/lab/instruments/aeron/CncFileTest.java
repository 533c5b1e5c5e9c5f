package org.naklab.lab.instruments.aeron;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.aeron.CncFileDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.timeline.DetectException;

/** Any process can have a file of that name mapped. */
@Timeout(60)
final class CncFileTest {
    private static final int LENGTH = 4 << 20;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "65536, 65536, 2147483584, 262144, 65536",
        "-2147483648, 65536, 1048576, 262144, 65536",
        "1073741824, 1073741824, 1048576, 262144, 65536",
        "65536, 65536, 1048576, 1073741824, 65536",
        "65536, 65536, 131072, 262144, 65536",
        "0, 0, 0, 0, 0",
        "65536, 65536, 1048576, 262144, -1",
    })
    void shouldRefuseLengthsThatAreNotThoseOfTheFile(
            int toDriver, int toClients, int descriptions, int values, int errors) throws IOException {
        ByteBuffer file = ByteBuffer.allocate(LENGTH).order(ByteOrder.nativeOrder());
        file.putInt(CncFileDescriptor.cncVersionOffset(0), CncFileDescriptor.CNC_VERSION);
        file.putInt(CncFileDescriptor.toDriverBufferLengthOffset(0), toDriver);
        file.putInt(CncFileDescriptor.toClientsBufferLengthOffset(0), toClients);
        file.putInt(CncFileDescriptor.countersMetaDataBufferLengthOffset(0), descriptions);
        file.putInt(CncFileDescriptor.countersValuesBufferLengthOffset(0), values);
        file.putInt(CncFileDescriptor.errorLogBufferLengthOffset(0), errors);
        Files.write(directory.resolve(CncFileDescriptor.CNC_FILE), file.array());

        assertThatExceptionOfType(DetectException.class)
                .isThrownBy(() -> CncFile.map(directory))
                .withMessageContaining("is damaged");
    }
}
