package io.millrace.piece.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.TextEncoding;
import io.millrace.piece.builtin.data.FileHelperPiece;
import io.millrace.piece.builtin.store.ConnectionsPiece;
import io.millrace.piece.builtin.store.QueuePiece;
import io.millrace.piece.builtin.store.TagsPiece;
import io.millrace.piece.input.PropertyProcessor;
import io.millrace.support.piece.FakeStepContext;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tags, Connections, Queue and Files Helper. */
class StatePiecesTest {
    @Test
    void tagsTheRun() {
        var context = FakeStepContext.with("{'name':' urgent '}");

        var output = run(TagsPiece.create(), "add_tag", context);

        assertThat(context.tags).containsExactly("urgent");
        assertThat(output.result()).isEqualTo(json("{'success':true}"));
        assertThat(run(TagsPiece.create(), "add_tag", FakeStepContext.with("{'name':' '}"))
                        .cause())
                .isInstanceOf(PieceFailure.class);
    }

    @Test
    void readsAConnection() {
        var known = FakeStepContext.with("{'connection_name':'known'}");
        var unknown = FakeStepContext.with("{'connection_name':'other'}");

        var output = run(ConnectionsPiece.create(), "read_connection", known);
        var refused = run(ConnectionsPiece.create(), "read_connection", unknown);

        assertThat(output.result().path("secret_text").asText()).isEqualTo("s3cret");
        assertThat(json(refused.cause().getMessage()))
                .isEqualTo(json("{'message':'Connection not found','connectionName':'other'}"));
    }

    @Test
    void givesQueuedItemsInTheirOrder_andEachOnce() {
        // Given
        var queue = QueuePiece.create();
        var context = FakeStepContext.with("{'queueName':'q','items':[1,'b']}");

        // When
        var pushed = run(queue, "push-to-queue", context);
        run(queue, "push-to-queue", context.next("{'queueName':'q','items':[{'c':3}]}"));

        // Then
        assertThat(pushed.result()).isNull();
        assertThat(run(queue, "get-queue-size", context.next("{'queueName':'q'}"))
                        .result())
                .isEqualTo(json("{'queueName':'q','size':3,'isEmpty':false}"));
        assertThat(run(queue, "peek-queue", context.next("{'queueName':'q'}")).result())
                .isEqualTo(json("{'items':[1],'itemCount':1,'queueSize':3}"));
        assertThat(run(queue, "pull-from-queue", context.next("{'queueName':'q','numOfItems':2}"))
                        .result())
                .isEqualTo(json("[1,'b']"));
        assertThat(run(queue, "pull-from-queue", context.next("{'queueName':'q','numOfItems':9}"))
                        .result())
                .isEqualTo(json("[{'c':3}]"));
        assertThat(run(queue, "pull-from-queue", context.next("{'queueName':'q','numOfItems':1}"))
                        .result())
                .isEqualTo(json("[]"));
    }

    @Test
    void clearsAQueue() {
        var queue = QueuePiece.create();
        var context = FakeStepContext.with("{'queueName':'q','items':[1]}");
        run(queue, "push-to-queue", context);

        var cleared = run(queue, "clear-queue", context.next("{'queueName':'q'}"));

        assertThat(cleared.result()).isEqualTo(json("{'success':true}"));
        assertThat(run(queue, "get-queue-size", context.next("{'queueName':'q'}"))
                        .result())
                .isEqualTo(json("{'queueName':'q','size':0,'isEmpty':true}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            pull-from-queue | {'queueName':'q','numOfItems':-1}
            pull-from-queue | {'queueName':'q','numOfItems':1.5}
            pull-from-queue | {'queueName':'','numOfItems':1}
            push-to-queue   | {'queueName':'text','items':[1]}
            """)
    void refusesWhatIsNoQueueOrCount(String action, String props) {
        var context = FakeStepContext.with(props);
        context.store().put("COLLECTION/text", json("'not a list'"));

        assertThat(run(QueuePiece.create(), action, context).cause()).isInstanceOf(PieceFailure.class);
        assertThat(context.store().get("COLLECTION/text")).isEqualTo(json("'not a list'"));
    }

    @Test
    void readsAFile() {
        var file = dataUri("text/plain", "häh".getBytes(StandardCharsets.UTF_8));

        assertThat(files("read_file", "{'file':'%s','readOptions':'text'}", file)
                        .result())
                .isEqualTo(json("{'text':'häh'}"));
        assertThat(files("read_file", "{'file':'%s','readOptions':'base64'}", file)
                        .result())
                .isEqualTo(json("{'base64':'aMOkaA==','base64WithMimeType':'data:text/plain;base64,aMOkaA=='}"));
        assertThat(files("read_file", "{'file':'%s','readOptions':'hex'}", file).cause())
                .isInstanceOf(PieceFailure.class);
    }

    @ParameterizedTest(name = "{0} in {1} to {2}")
    @CsvSource({
        "e4, latin1, utf8, c3a4",
        "c3a4, utf8, utf16le, e400",
        "61474d3d, base64, hex, 36383633",
        "68, utf8, base64, 61413d3d",
        "efbbbf68, utf8, latin1, 68",
        "efbbbf68, utf8, utf16le, fffe6800",
        "202d5f2d5f0d0a, base64, hex, 666266666266",
    })
    void writesAFileInAnotherEncoding(String given, String from, String to, String expected) {
        var bytes = HexFormat.of().parseHex(given);

        var recoded = TextEncoding.named("in", from).recoded("file", bytes, TextEncoding.named("out", to));

        assertThat(HexFormat.of().formatHex(recoded)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0} in {1}")
    @CsvSource({
        "ü, ascii, 'content: expected characters that ASCII can hold, found U+00FC'",
        "5 €, latin1, 'content: expected characters that Latin1 can hold, found U+20AC'",
        "日, binary, 'content: expected characters that Binary can hold, found U+65E5'",
        "aGk*, base64, 'content: expected a text encoded as Base64'",
        "abc, hex, 'content: expected a text encoded as Hex'",
    })
    void writesNoOtherCharactersThanWereGiven(String content, String encoding, String message) {
        var context = FakeStepContext.with(
                "{'content':'%s','fileName':'a.txt','encoding':'%s'}".formatted(content, encoding));

        var output = run(FileHelperPiece.create(), "createFile", context);

        assertThat(output.cause()).isInstanceOf(PieceFailure.class).hasMessageStartingWith(message);
        assertThat(context.written).isEmpty();
    }

    @Test
    void writesFiles() {
        var context = FakeStepContext.with("{'content':'aMOkaA==','fileName':'a.txt','encoding':'base64'}");

        var output = run(FileHelperPiece.create(), "createFile", context);

        assertThat(context.written).containsEntry("a.txt", Buffer.buffer("häh"));
        assertThat(output.result()).isEqualTo(json("{'fileName':'a.txt','url':'https://files.example/a.txt'}"));
    }

    @Test
    void returnsTheTypeOfAFile() {
        var file = dataUri("image/png", new byte[] {1});

        assertThat(files("checkFileType", "{'file':'%s','mimeTypes':'image/png'}", file)
                        .result())
                .isEqualTo(json("{'mimeType':'image/png','isMatch':true}"));
        assertThat(files("checkFileType", "{'file':'%s','mimeTypes':'text/csv'}", file)
                        .result())
                .isEqualTo(json("{'mimeType':'image/png','isMatch':false}"));
    }

    @Test
    void packsFilesAndUnpacksThem() {
        // Given
        var one = dataUri("text/plain", "one".getBytes(StandardCharsets.UTF_8));
        var packing = FakeStepContext.with(processed(
                "zipFiles",
                "{'files':[{'file':'%s','filePath':'in/one.txt'},{'file':'%s'}],'outputFileName':'all.zip'}"
                        .formatted(one, one)));

        // When
        var url = run(FileHelperPiece.create(), "zipFiles", packing);
        var archive = dataUri("application/zip", packing.written.get("all.zip").getBytes());
        var unpacking = FakeStepContext.with(processed("unzipFile", "{'file':'%s'}".formatted(archive)));
        var list = run(FileHelperPiece.create(), "unzipFile", unpacking);

        // Then
        assertThat(url.result().asText()).isEqualTo("https://files.example/all.zip");
        assertThat(list.result())
                .isEqualTo(json("[{'file':'https://files.example/one.txt','filePath':'in/one.txt'},"
                        + "{'file':'https://files.example/unknown.txt','filePath':'unknown.txt'}]"));
        assertThat(unpacking.written).containsEntry("one.txt", Buffer.buffer("one"));
    }

    @Test
    void keepsEveryFileOfTheSameName() {
        var one = dataUri("text/plain", "one".getBytes(StandardCharsets.UTF_8));
        var two = dataUri("text/plain", "two".getBytes(StandardCharsets.UTF_8));
        var packing = FakeStepContext.with(processed(
                "zipFiles",
                ("{'files':[{'file':'%1$s'},{'file':'%2$s'},{'file':'%2$s','filePath':'a.b/c'},"
                                + "{'file':'%1$s','filePath':'a.b/c'}],'outputFileName':'all.zip'}")
                        .formatted(one, two)));
        run(FileHelperPiece.create(), "zipFiles", packing);

        assertThat(unpacked(packing.written.get("all.zip").getBytes()).result().findValuesAsText("filePath"))
                .containsExactly("unknown.txt", "unknown (2).txt", "a.b/c", "a.b/c (2)");
    }

    @Test
    void readsNamesThatAreNoUnicode() throws IOException {
        var names = List.of("Müller.txt", "Ä/ö.txt");
        for (var charset : List.of(Charset.forName("IBM437"), StandardCharsets.UTF_8)) {
            var archive = new ByteArrayOutputStream();
            try (var zip = new ZipOutputStream(archive, charset)) {
                for (var name : names) {
                    zip.putNextEntry(new ZipEntry(name));
                    zip.write('x');
                }
            }

            assertThat(unpacked(archive.toByteArray()).result().findValuesAsText("filePath"))
                    .isEqualTo(names);
        }
    }

    private static Future<JsonNode> unpacked(byte[] archive) {
        return files("unzipFile", "{'file':'%s'}", dataUri("application/zip", archive));
    }

    @Test
    void refusesAnInvalidOrTooLargeArchive() throws IOException {
        var large = files("unzipFile", "{'file':'%s'}", dataUri("application/zip", archiveOfZeros(65)));
        var none = files(
                "unzipFile", "{'file':'%s'}", dataUri("application/zip", "no zip".getBytes(StandardCharsets.UTF_8)));
        var secret = files("zipFiles", "{'files':[],'outputFileName':'z','usePassword':true}", "");

        assertThat(large.cause()).isInstanceOf(PieceFailure.class);
        assertThat(none.cause()).isInstanceOf(PieceFailure.class).hasMessageStartingWith("file: expected a zip file");
        assertThat(secret.cause()).isInstanceOf(PieceFailure.class);
    }

    private static byte[] archiveOfZeros(int megabytes) throws IOException {
        var archive = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(archive)) {
            zip.putNextEntry(new ZipEntry("zeros"));
            var zeros = new byte[1024 * 1024];
            for (var number = 0; number < megabytes; number++) {
                zip.write(zeros);
            }
        }
        return archive.toByteArray();
    }

    private static String dataUri(String type, byte[] data) {
        return "data:" + type + ";base64," + Base64.getEncoder().encodeToString(data);
    }

    private static Future<JsonNode> files(String action, String props, String file) {
        return run(FileHelperPiece.create(), action, FakeStepContext.with(processed(action, props.formatted(file))));
    }

    private static ObjectNode processed(String action, String props) {
        var spec = FileHelperPiece.create().actions().get(action).spec();
        return PropertyProcessor.compile(spec.props()).apply((ObjectNode) json(props));
    }

    private static Future<JsonNode> run(Piece piece, String action, FakeStepContext context) {
        return piece.actions().get(action).run(context);
    }

    private static JsonNode json(String text) {
        return Json.trusted(text.replace('\'', '"'));
    }
}
