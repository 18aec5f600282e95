package io.millrace.sandbox.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.hostile.HostileKind;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Documents with cyclic references, gigabytes of unpacked data, or references to files of this host. Each is converted
 * to a text within the limits, or rejected with a message.
 */
@Slow(Slow.Reason.HOSTILE)
@HostileKind("document")
final class HostileDocumentTest {
    private static final int CHARACTERS_MAX = 10_000;
    private static final Duration TIME_MAX = Duration.ofSeconds(20);

    /** Time limit for documents that would take minutes: each uses it up. */
    private static final Duration SHORT_TIME_MAX = Duration.ofSeconds(3);

    private static final Set<String> ENDLESS = Set.of("PDF: a form that draws itself", "HTML: elements in each other");

    private static Vertx vertx = Vertx.vertx();

    @TempDir
    private static Path directory;

    private static DocumentTexts texts;

    /** As {@link #texts}, with {@link #SHORT_TIME_MAX}. */
    private static DocumentTexts hurriedTexts;

    @BeforeAll
    static void setUp() {
        var isolation = new Isolation(Isolation.Settings.of(directory.resolve("isolation")));
        texts = texts(isolation, TIME_MAX);
        hurriedTexts = texts(isolation, SHORT_TIME_MAX);
        assertReadsSoundDocuments();
    }

    /** A reader that cannot start rejects everything. */
    private static void assertReadsSoundDocuments() {
        var page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R"
                + "/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>";
        var sound = Map.of(
                DocumentKind.PDF, pdf(CATALOG, PAGES, page, stream("", ascii("BT /F 9 Tf 9 9 Td (Flour) Tj ET"))),
                DocumentKind.DOCX, word("<w:p><w:r><w:t>Flour</w:t></w:r></w:p>"),
                DocumentKind.HTML, ascii("<p>Flour</p>"));
        sound.forEach((kind, bytes) -> assertThat(Waiting.await(texts.read(kind, Buffer.buffer(bytes))))
                .as(kind.toString())
                .contains("Flour"));
    }

    @AfterAll
    static void tearDown() {
        Waiting.await(vertx.close());
    }

    private static DocumentTexts texts(Isolation isolation, Duration timeMax) {
        var limits = new DocumentTexts.Limits(CHARACTERS_MAX, timeMax);
        return new DocumentTexts(vertx, directory.resolve("documents"), isolation, limits);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] zip(String... namesAndTexts) {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (var index = 0; index < namesAndTexts.length; index += 2) {
                zip.putNextEntry(new ZipEntry(namesAndTexts[index]));
                zip.write(namesAndTexts[index + 1].getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
        return bytes.toByteArray();
    }

    private static byte[] word(String body) {
        return zip(
                "word/document.xml",
                "<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body>" + body
                        + "</w:body></w:document>");
    }

    /** PDF of these objects without a cross-reference table; readers then search for the objects. */
    private static byte[] pdf(String... objects) {
        var text = new StringBuilder("%PDF-1.7\n");
        for (var number = 1; number <= objects.length; number++) {
            text.append(number).append(" 0 obj\n").append(objects[number - 1]).append("\nendobj\n");
        }
        return ascii(text.append("trailer\n<</Root 1 0 R/Size 99>>\nstartxref\n0\n%%EOF\n")
                .toString());
    }

    private static String stream(String dictionary, byte[] content) {
        return "<<" + dictionary + "/Length " + content.length + ">>\nstream\n"
                + new String(content, StandardCharsets.ISO_8859_1) + "\nendstream";
    }

    private static byte[] deflated(int megabytes) {
        var packed = new ByteArrayOutputStream();
        try (var deflater = new DeflaterOutputStream(packed, new Deflater(Deflater.BEST_SPEED))) {
            for (var index = 0; index < megabytes; index++) {
                deflater.write(new byte[1 << 20]);
            }
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
        return packed.toByteArray();
    }

    private static final String CATALOG = "<</Type/Catalog/Pages 2 0 R>>";
    private static final String PAGES = "<</Type/Pages/Kids[3 0 R]/Count 1>>";
    private static final String PAGE = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>";

    static Stream<Arguments> documents() {
        return Stream.of(
                Arguments.of(
                        "pages that are their own parent",
                        DocumentKind.PDF,
                        pdf(CATALOG, "<</Type/Pages/Kids[2 0 R]/Count 9>>")),
                Arguments.of("a catalogue of itself", DocumentKind.PDF, pdf("<</Type/Catalog/Pages 1 0 R>>")),
                Arguments.of(
                        "contents that are the page",
                        DocumentKind.PDF,
                        pdf(CATALOG, PAGES, "<</Type/Page/Parent 2 0 R/Contents 3 0 R>>")),
                Arguments.of(
                        "a length that is the stream",
                        DocumentKind.PDF,
                        pdf(CATALOG, PAGES, PAGE, "<</Length 4 0 R>>\nstream\nBT ET\nendstream")),
                Arguments.of(
                        "more pages than numbers",
                        DocumentKind.PDF,
                        pdf(CATALOG, "<</Type/Pages/Kids[]/Count 2147483647>>")),
                Arguments.of(
                        "a page of gigabytes",
                        DocumentKind.PDF,
                        pdf(CATALOG, PAGES, PAGE, stream("/Filter/FlateDecode", deflated(600)))),
                Arguments.of(
                        "filters on filters",
                        DocumentKind.PDF,
                        pdf(
                                CATALOG,
                                PAGES,
                                PAGE,
                                stream("/Filter[" + "/FlateDecode".repeat(5_000) + "]", deflated(1)))),
                Arguments.of("arrays in each other", DocumentKind.PDF, pdf(CATALOG, PAGES, PAGE, "[".repeat(200_000))),
                Arguments.of("dictionaries in each other", DocumentKind.PDF, pdf("<</A".repeat(100_000))),
                Arguments.of(
                        "a file of this host as a stream",
                        DocumentKind.PDF,
                        pdf(CATALOG, PAGES, PAGE, "<</F(/etc/passwd)/Length 0>>\nstream\n\nendstream")),
                Arguments.of(
                        "a form that draws itself",
                        DocumentKind.PDF,
                        pdf(
                                CATALOG,
                                PAGES,
                                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>",
                                stream("", ascii("/X Do")),
                                stream(
                                        "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>",
                                        ascii("/X Do /X Do")))),
                Arguments.of(
                        "an embedded file",
                        DocumentKind.PDF,
                        pdf(
                                "<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(a)<</F(../../x)/EF<</F 4 0 R>>>>]>>>>>>",
                                PAGES,
                                PAGE,
                                stream("", ascii("x")))),
                Arguments.of("a beginning and no more", DocumentKind.PDF, ascii("%PDF-1.7\n")),
                Arguments.of(
                        "entities of the host",
                        DocumentKind.DOCX,
                        zip(
                                "word/document.xml",
                                "<!DOCTYPE d [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><d><t>&x;</t></d>")),
                Arguments.of(
                        "entities of entities",
                        DocumentKind.DOCX,
                        zip(
                                "word/document.xml",
                                "<!DOCTYPE d [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;\">]><d><t>&b;</t></d>")),
                Arguments.of("elements in each other", DocumentKind.DOCX, word("<w:p>".repeat(300_000))),
                Arguments.of(
                        "attributes without end",
                        DocumentKind.DOCX,
                        word("<w:p" + " a".repeat(1) + "='" + "x".repeat(9 << 20) + "'/>")),
                Arguments.of("line breaks without end", DocumentKind.DOCX, word("<w:br/>".repeat(2_000_000))),
                Arguments.of("tabs without end", DocumentKind.DOCX, word("<w:tab/>".repeat(2_000_000))),
                Arguments.of("paragraphs without end", DocumentKind.DOCX, word("<w:p/>".repeat(2_000_000))),
                Arguments.of(
                        "a document in a document",
                        DocumentKind.DOCX,
                        zip("word/embeddings/a.docx", "x", "word/document.xml", "<d/>")),
                Arguments.of(
                        "parts that climb", DocumentKind.DOCX, zip("../../../tmp/x", "x", "word/document.xml", "<d/>")),
                Arguments.of("elements in each other", DocumentKind.HTML, ascii("<div>".repeat(200_000) + "x")),
                Arguments.of("tables in each other", DocumentKind.HTML, ascii("<table><tr><td>".repeat(20_000) + "x")),
                Arguments.of(
                        "formatting that is never closed", DocumentKind.HTML, ascii("<b><i><u><p>".repeat(20_000))),
                Arguments.of("attributes without end", DocumentKind.HTML, ascii("<p" + " a=b".repeat(300_000) + ">x")),
                Arguments.of("blanks without end", DocumentKind.HTML, ascii("<p>" + " \n".repeat(2_000_000) + "x")),
                Arguments.of(
                        "frames and files",
                        DocumentKind.HTML,
                        ascii("<iframe src=file:///etc/passwd></iframe><object data=file:///etc/passwd></object>x")),
                Arguments.of("another charset", DocumentKind.HTML, ascii("<meta charset=x-no-such>x")));
    }

    @ParameterizedTest(name = "{1}: {0}")
    @MethodSource("documents")
    void isReadWithinItsLimits_orRefusedInWords(String name, DocumentKind kind, byte[] bytes) {
        var reader = ENDLESS.contains(kind + ": " + name) ? hurriedTexts : texts;
        String text;
        try {
            text = Waiting.await(reader.read(kind, Buffer.buffer(bytes)));
        } catch (RuntimeException refused) {
            assertThat(refused).hasStackTraceContaining(UnreadableDocument.class.getName());
            assertThat(String.valueOf(refused.getMessage())).doesNotContain("/work", "Exception in");
            return;
        }
        assertThat(text.length()).isLessThanOrEqualTo(CHARACTERS_MAX);
        assertThat(text).doesNotContain("root:");
    }
}
