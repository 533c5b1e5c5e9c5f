package org.naklab.lab.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class BrokenPipeStreamTest {
    /** A pipe whose reader leaves after so many bytes. */
    private static final class Pipe extends OutputStream {
        private final ByteArrayOutputStream read = new ByteArrayOutputStream();
        private int left;

        private Pipe(int left) {
            this.left = left;
        }

        @Override
        public void write(int b) throws IOException {
            if (left-- == 0) {
                throw new IOException("Broken pipe");
            }
            read.write(b);
        }
    }

    @Test
    void shouldEndTheWritingWhenTheReaderHasGone() throws IOException {
        Pipe pipe = new Pipe(3);
        try (BrokenPipeStream out = new BrokenPipeStream(new PrintStream(pipe, true, UTF_8))) {
            out.write("abc".getBytes(UTF_8));
            out.flush();
            assertThat(out.isBroken()).isFalse();

            assertThatThrownBy(() -> out.write('d')).hasMessage("standard output is closed");
            assertThat(out.isBroken()).isTrue();
            assertThat(pipe.read.toString(UTF_8)).isEqualTo("abc");
        } catch (IOException e) {
            assertThat(e).as("closing flushes").hasMessage("standard output is closed");
        }
    }
}
