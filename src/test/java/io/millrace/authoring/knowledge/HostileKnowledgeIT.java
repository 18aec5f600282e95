package io.millrace.authoring.knowledge;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.hostile.HostileKind;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.outside.ModelServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Documents that unpack without end, uploaded to a server whose model responds: each is rejected with a message or
 * indexed within the limits.
 */
@HostileKind("document")
@Slow(Slow.Reason.HOSTILE)
final class HostileKnowledgeIT {
    private static final String FILES = "/v1/knowledge-base/files";
    private static final int CHUNKS_MAX = 200;
    private static final int MEGABYTES = 500;

    @AutoClose
    private static ModelServer model = ModelServer.start();

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(
            Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1", "AP_MAX_KNOWLEDGE_BASE_CHUNKS", String.valueOf(CHUNKS_MAX)));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    @BeforeAll
    static void setUp() {
        model.serve(ada);
        var sound = upload("sound.docx", word("<w:p><w:r><w:t>The mill opens on Mondays.</w:t></w:r></w:p>"));
        assertThat(sound.text("/status")).as("%s", sound).isEqualTo("READY");
    }

    private static Answer upload(String fileName, byte[] bytes) {
        return ada.api()
                .postForm(
                        FILES + "/upload?projectId=" + ada.projectId(),
                        Map.of("displayName", fileName),
                        "file",
                        fileName,
                        bytes);
    }

    static Stream<Arguments> bombs() {
        var laughs = new StringBuilder("<!DOCTYPE d [<!ENTITY a0 \"ha\">");
        for (var level = 1; level < 40; level++) {
            laughs.append("<!ENTITY a%1$d \"&a%2$d;&a%2$d;\">".formatted(level, level - 1));
        }
        var laughing = laughs + "]><d><t>&a39;</t></d>";
        return Stream.of(
                Arguments.of("zip.docx", zip("word/document.xml", out -> zeros(out, MEGABYTES))),
                Arguments.of("zip.xlsx", zip("xl/sharedStrings.xml", out -> zeros(out, MEGABYTES))),
                Arguments.of("zip.pptx", zip("ppt/slides/slide1.xml", out -> zeros(out, MEGABYTES))),
                Arguments.of("laughs.docx", zip("word/document.xml", out -> out.write(ascii(laughing)))),
                Arguments.of("laughs.xlsx", zip("xl/sharedStrings.xml", out -> out.write(ascii(laughing)))),
                Arguments.of(
                        "entity.docx",
                        zip(
                                "word/document.xml",
                                out -> out.write(ascii(
                                        "<!DOCTYPE d [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><d><t>&x;</t></d>")))),
                Arguments.of("deep.docx", word("<w:p>".repeat(500_000))),
                Arguments.of("wide.docx", word("<w:p><w:r><w:t>word </w:t></w:r></w:p>".repeat(300_000))),
                Arguments.of("stream.pdf", pdf()),
                Arguments.of("deep.html", ascii("<div>".repeat(300_000) + "x")),
                Arguments.of("blanks.txt", ascii(" ".repeat(20 << 20))),
                Arguments.of("line.txt", ascii("x".repeat(20 << 20))),
                Arguments.of("words.md", ascii("word ".repeat(4 << 20))),
                Arguments.of("bytes.pdf", new byte[5 << 20]),
                Arguments.of("../../climbing.docx", word("<w:p/>")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bombs")
    void isRefusedInWords_orIndexedWithinTheBounds(String fileName, byte[] bytes) {
        var answer = upload(fileName, bytes);

        assertThat(answer.status()).as("%s", answer).isIn(201, 400, 409, 413, 415, 422);
        assertThat(answer.toString()).doesNotContain("root:x:0", "/etc/passwd", "Exception");
        assertThat(server.count("select count(*) from knowledge_chunk")).isLessThanOrEqualTo(CHUNKS_MAX);
        assertThat(server.count("select count(*) from knowledge_chunk where position('root:x:0' in content) > 0"))
                .isZero();
        assertThat(server.anonymous().get("/v1/health").status()).isEqualTo(200);
        if (answer.status() == 201) {
            assertThat(ada.api()
                            .delete(FILES + "/" + answer.text("/id") + "?projectId=" + ada.projectId())
                            .status())
                    .isLessThan(300);
        }
    }

    /** Writes the content of an archive's entry. */
    private interface Content {
        void write(OutputStream out) throws IOException;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] word(String body) {
        return zip(
                "word/document.xml",
                out -> out.write(ascii(
                        "<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body>"
                                + body + "</w:body></w:document>")));
    }

    private static void zeros(OutputStream out, int megabytes) throws IOException {
        out.write(ascii("<d><t>"));
        for (var index = 0; index < megabytes; index++) {
            out.write(new byte[1 << 20]);
        }
    }

    private static byte[] zip(String entry, Content content) {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            zip.setLevel(Deflater.BEST_SPEED);
            zip.putNextEntry(new ZipEntry("[Content_Types].xml"));
            zip.write(ascii("<Types/>"));
            zip.putNextEntry(new ZipEntry(entry));
            content.write(zip);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    /** A page whose contents unpack to more than the memory of a small machine. */
    private static byte[] pdf() {
        var packed = new ByteArrayOutputStream();
        try (var deflater = new DeflaterOutputStream(packed, new Deflater(Deflater.BEST_SPEED))) {
            zeros(deflater, MEGABYTES);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return ascii("%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n"
                + "2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n"
                + "3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>\nendobj\n"
                + "4 0 obj\n<</Filter/FlateDecode/Length " + packed.size() + ">>\nstream\n"
                + packed.toString(StandardCharsets.ISO_8859_1)
                + "\nendstream\nendobj\ntrailer\n<</Root 1 0 R/Size 9>>\nstartxref\n0\n%%EOF\n");
    }
}
