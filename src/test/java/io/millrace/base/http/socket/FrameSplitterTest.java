package io.millrace.base.http.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames of Netty's encoder, split, and read by Netty's decoder with the limit of the server. */
class FrameSplitterTest {
    private static final int FRAME_BYTES_MAX = 64 * 1024;

    private final Random random = new Random(7);

    /** A fragment of a message from the decoder. */
    private record Part(String kind, boolean isFinal, String data) {}

    @ParameterizedTest
    @CsvSource({
        "0, 1, 1000",
        "125, 1, 1",
        "126, 1, 1",
        "32768, 1, 1000",
        "32769, 2, 1",
        "65536, 2, 777",
        "65660, 3, 65536",
        "200000, 7, 5",
        "3000000, 92, 60000"
    })
    void keepsTheMessage_howeverItArrives(int length, int parts, int chunkBytes) {
        // Given
        var message = bytes(length);
        var written = written(new TextWebSocketFrame(Unpooled.wrappedBuffer(message)));

        // When
        var read = read(written, chunkBytes);

        // Then
        assertThat(read).hasSize(parts);
        assertThat(joined(read)).isEqualTo(message);
        assertThat(read.getFirst().kind()).isEqualTo("Text");
        assertThat(read.subList(1, parts)).allMatch(part -> part.kind().equals("Continuation"));
        assertThat(read.subList(0, parts - 1)).noneMatch(Part::isFinal);
        assertThat(read.getLast().isFinal()).isTrue();
    }

    @Test
    void keepsTheOrder_ofPartsThatAClientMade_andOfControlFramesBetween() {
        var first = bytes(100_000);
        var second = bytes(50_000);
        var written = written(
                new BinaryWebSocketFrame(false, 0, Unpooled.wrappedBuffer(first)),
                new PingWebSocketFrame(Unpooled.wrappedBuffer(bytes(5))),
                new ContinuationWebSocketFrame(true, 0, Unpooled.wrappedBuffer(second)),
                new TextWebSocketFrame("next"));

        var read = read(written, 1_000);

        assertThat(read)
                .map(Part::kind)
                .containsExactly(
                        "Binary",
                        "Continuation",
                        "Continuation",
                        "Continuation",
                        "Ping",
                        "Continuation",
                        "Continuation",
                        "Text");
        assertThat(read).map(Part::isFinal).containsExactly(false, false, false, false, true, false, true, true);
        assertThat(joined(read.subList(0, 4))).isEqualTo(first);
        assertThat(joined(read.subList(5, 7))).isEqualTo(second);
    }

    @Test
    void givesTheFirstParts_beforeTheFrameIsWhole() {
        var written = written(new TextWebSocketFrame(Unpooled.wrappedBuffer(bytes(10_000_000))));

        var read = read(written.slice(0, 3 * FrameSplitter.PART_BYTES), 10_000);

        assertThat(read).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"89ff7fffffffffffffff00000000", "8bfe020000000000"})
    void leavesControlFramesThatAreLong_toTheDecoder(String head) {
        var written = Unpooled.wrappedBuffer(HexFormat.of().parseHex(head));

        assertThatThrownBy(() -> read(written, 100)).isInstanceOf(DecoderException.class);
    }

    @Test
    void takesALengthThatNobodyCanSend() {
        var head = Unpooled.wrappedBuffer(HexFormat.of().parseHex("81ffffffffffffffffff00000000"));

        var read = read(Unpooled.wrappedBuffer(head, Unpooled.wrappedBuffer(bytes(100_000))), 1_000);

        assertThat(read).hasSize(3).noneMatch(Part::isFinal);
    }

    private byte[] bytes(int length) {
        var bytes = new byte[length];
        for (var at = 0; at < length; at++) {
            bytes[at] = (byte) ('a' + random.nextInt(26));
        }
        return bytes;
    }

    private static ByteBuf written(WebSocketFrame... frames) {
        var client = new EmbeddedChannel(new WebSocket13FrameEncoder(true));
        var all = Unpooled.buffer();
        for (var frame : frames) {
            client.writeOutbound(frame);
        }
        for (ByteBuf written = client.readOutbound(); written != null; written = client.readOutbound()) {
            all.writeBytes(written);
            written.release();
        }
        return all;
    }

    private static List<Part> read(ByteBuf written, int chunkBytes) {
        var server =
                new EmbeddedChannel(new FrameSplitter(), new WebSocket13FrameDecoder(true, false, FRAME_BYTES_MAX));
        var parts = new ArrayList<Part>();
        while (written.isReadable()) {
            server.writeInbound(written.readRetainedSlice(Math.min(chunkBytes, written.readableBytes())));
            for (WebSocketFrame frame = server.readInbound(); frame != null; frame = server.readInbound()) {
                var data = frame.content().toString(StandardCharsets.US_ASCII);
                parts.add(new Part(
                        frame.getClass().getSimpleName().replace("WebSocketFrame", ""), frame.isFinalFragment(), data));
                frame.release();
            }
        }
        return parts;
    }

    private static byte[] joined(List<Part> parts) {
        return parts.stream().map(Part::data).collect(Collectors.joining()).getBytes(StandardCharsets.US_ASCII);
    }
}
