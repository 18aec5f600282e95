package io.millrace.engine.agent.outside;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Event streams, split at any position. */
final class EventStreamParserTest {
    /** Type and data of the events of a stream that arrives in chunks of this many bytes. */
    private static List<String> events(String stream, int partBytes) {
        var events = new ArrayList<String>();
        var parser = new EventStreamParser((type, data) -> events.add(type + "=" + data));
        var bytes = stream.getBytes(StandardCharsets.UTF_8);
        for (var from = 0; from < bytes.length; from += partBytes) {
            parser.accept(Buffer.buffer(Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + partBytes))));
        }
        return events;
    }

    @Test
    void readsTheSame_howeverTheLinesEnd_andWhereverTheStreamIsCut() {
        var lines = List.of(
                "\ufeff: welcome",
                "",
                "event: endpoint",
                "id: 1",
                "retry: 10",
                "data: /messages?session=1",
                "",
                "event: ping",
                "",
                "data:{\"text\":",
                "data:  \"Mühle 🌾\"}",
                "unknown: field",
                "",
                "data",
                "",
                "data: is cut");
        for (var end : List.of("\n", "\r\n", "\r")) {
            var stream = String.join(end, lines);
            for (var partBytes = 1; partBytes <= stream.length(); partBytes++) {
                assertThat(events(stream, partBytes))
                        .as("%d bytes at once", partBytes)
                        .containsExactly(
                                "endpoint=/messages?session=1", "message={\"text\":\n \"Mühle 🌾\"}", "message=");
            }
        }
    }

    @Test
    void forgetsTheType_withTheEvent() {
        assertThat(events("event: endpoint\ndata: a\n\ndata: b\n\nevent:\ndata: c\n\n", 100))
                .containsExactly("endpoint=a", "message=b", "message=c");
    }
}
