package io.millrace.sandbox.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Frames of a host mixed with lines of other writers. */
final class FrameReaderTest {
    private static final String FRAME = "{\"t\":\"log\"}";

    @Test
    void readsLines_theLastOneWithoutItsEnd() throws IOException {
        var reader = reader("one\n\n" + FRAME);

        assertThat(read(reader)).isEqualTo("one");
        assertThat(read(reader)).isEmpty();
        assertThat(read(reader)).isEqualTo(FRAME);
        assertThat(reader.readLine()).isNull();
    }

    @Test
    void readsAFrame_upToTheLargest_andNoLargerOne() throws IOException {
        var start = "{\"t\":\"result\",\"value\":\"";
        var largest = start + "x".repeat(FrameReader.FRAME_BYTES_MAX - start.length());

        assertThat(reader(largest + "\n").readLine()).hasSize(FrameReader.FRAME_BYTES_MAX);
        assertThatThrownBy(() -> reader(largest + "x\n").readLine())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("at most");
    }

    @Test
    void readsAFrame_afterAFewOtherLines() throws IOException {
        var before = "x".repeat(FrameReader.STRAY_BYTES_MAX - FRAME.length());
        var after = "y".repeat(1_000_000);

        assertThat(read(reader(before + FRAME + after + "\n"))).endsWith(after);
        assertThat(read(reader("x".repeat(FrameReader.STRAY_BYTES_MAX) + "\n"))).startsWith("x");
    }

    @Test
    void endsEarly_whereNoFrameBegins() {
        var flood = new Flood();

        assertThatThrownBy(() -> new FrameReader(flood).readLine())
                .isInstanceOf(IOException.class)
                .hasMessage("the piece wrote into the pipe of its process");
        assertThat(flood.read).isLessThan(4 * FrameReader.STRAY_BYTES_MAX);
    }

    /** A line without an end. */
    private static final class Flood extends InputStream {
        private int read;

        @Override
        public int read() {
            read++;
            return 'x';
        }

        @Override
        public int read(byte[] into, int from, int length) {
            for (var at = from; at < from + length; at++) {
                into[at] = 'x';
            }
            read += length;
            return length;
        }
    }

    private static FrameReader reader(String text) {
        return new FrameReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)));
    }

    private static String read(FrameReader reader) throws IOException {
        return new String(reader.readLine(), StandardCharsets.US_ASCII);
    }
}
