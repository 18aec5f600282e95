package io.millrace.workspace.model.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Binary events of Amazon: whole, in fragments, damaged and truncated. */
class EventFramesTest {
    private static final String TEXT = "{\"contentBlockIndex\":0,\"delta\":{\"text\":\"Ahoj, světe\"}}";

    /** A message that botocore reads, byte by byte. */
    private static final byte[] OF_AMAZON = HexFormat.of()
            .parseHex("000000a800000057d07acf690b3a6576656e742d74797065070011636f6e74656e74426c6f636b44656c74610d3a636f"
                    + "6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d747970650700056576"
                    + "656e747b22636f6e74656e74426c6f636b496e646578223a302c2264656c7461223a7b2274657874223a2241686f6a2c"
                    + "207376c49b7465227d2c2270223a22616263227d5bc4c0ee");

    private static String textOf(JsonNode event) {
        return new StreamedConverse().text(event);
    }

    @Test
    void readsWhatAmazonWrites_byteByByte() {
        // given
        var received = new ArrayList<JsonNode>();
        var frames = new EventFrames(received::add);

        // when
        for (var one : OF_AMAZON) {
            assertThat(received).isEmpty();
            frames.accept(Buffer.buffer(new byte[] {one}));
        }

        // then
        assertThat(received).hasSize(1);
        assertThat(textOf(received.getFirst())).isEqualTo("Ahoj, světe");
        assertThat(EventFrames.of(Buffer.buffer(OF_AMAZON))).isEqualTo(received);
    }

    @Test
    void passesOverHeadersOfEveryType_andReadsSeveralMessagesAtOnce() {
        var two = EventFrameWriter.event("contentBlockDelta", TEXT)
                .appendBuffer(EventFrameWriter.event("messageStop", "{\"stopReason\":\"end_turn\"}"));

        var events = EventFrames.of(two);

        assertThat(textOf(events.getFirst())).isEqualTo("Ahoj, světe");
        assertThat(events.getLast().at("/messageStop/stopReason").asText()).isEqualTo("end_turn");
    }

    @Test
    void takesNoMessageOfWhichAByteIsAnother_orThatIsNotWhole() {
        var whole = EventFrameWriter.event("contentBlockDelta", TEXT).getBytes();
        for (var at = 0; at < whole.length; at++) {
            // given
            var other = Buffer.buffer(whole.clone()).setByte(at, (byte) (whole[at] ^ 1));
            var cut = Buffer.buffer(whole).getBuffer(0, at);
            var received = new ArrayList<JsonNode>();
            var frames = new EventFrames(received::add);

            // when
            frames.accept(other);
            frames.accept(Buffer.buffer(whole));

            // then no event after the damage is delivered
            assertThat(received).isEmpty();
            assertThatThrownBy(() -> EventFrames.of(other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("damaged");
            if (at > 0) {
                assertThatThrownBy(() -> EventFrames.of(cut))
                        .hasMessage("the stream ended before the answer was complete");
            }
        }
    }

    @Test
    void believesNoLengths_thoughTheirChecksumsAreRight() {
        // given headers longer than their message, a name longer than its headers, and an unknown type
        var tooLong =
                EventFrameWriter.frame(Buffer.buffer().appendByte((byte) 200).appendByte((byte) 'x'), "{}");
        var unknown = EventFrameWriter.frame(
                Buffer.buffer().appendByte((byte) 1).appendByte((byte) 'x').appendByte((byte) 10), "{}");
        var cutText = EventFrameWriter.frame(
                Buffer.buffer()
                        .appendByte((byte) 1)
                        .appendByte((byte) 'x')
                        .appendByte((byte) 7)
                        .appendShort((short) -1),
                "{}");

        // then
        for (var frame : new Buffer[] {tooLong, unknown, cutText}) {
            assertThatThrownBy(() -> EventFrames.of(frame)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> EventFrames.of(EventFrameWriter.event("messageStop", "{")))
                .hasMessageContaining("not JSON");
    }

    @Test
    void saysWhatAnExceptionOrAnErrorSays() {
        // given
        var stream = new StreamedConverse();
        var throttled = EventFrames.of(EventFrameWriter.event("contentBlockDelta", TEXT)
                .appendBuffer(EventFrameWriter.exception("throttlingException", "{\"message\":\"Slow down\"}")));
        var nameless = EventFrames.of(EventFrameWriter.exception("modelStreamErrorException", "{}"));
        var broken = EventFrames.of(EventFrameWriter.error("InternalError", "Something broke"));

        // then
        assertThatThrownBy(() -> stream.whole(throttled)).hasMessage("Slow down");
        assertThatThrownBy(() -> stream.whole(nameless)).hasMessage("modelStreamErrorException");
        assertThatThrownBy(() -> stream.whole(broken)).hasMessage("Something broke");
    }
}
