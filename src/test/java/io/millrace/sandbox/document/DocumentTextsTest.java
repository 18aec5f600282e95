package io.millrace.sandbox.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.hostile.HostileKind;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.StandardProtectionPolicy;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Text extraction from documents, including malicious ones. */
@HostileKind("document")
class DocumentTextsTest {
    private static final int CHARACTERS_MAX = 10_000;

    private static Vertx vertx = Vertx.vertx();

    @TempDir
    private static Path directory;

    private static DocumentTexts texts;

    @BeforeAll
    static void setUp() {
        var isolation = new Isolation(Isolation.Settings.of(directory.resolve("isolation")));
        var limits = new DocumentTexts.Limits(CHARACTERS_MAX, Duration.ofMinutes(2));
        texts = new DocumentTexts(vertx, directory.resolve("documents"), isolation, limits);
    }

    @AfterAll
    static void tearDown() {
        Waiting.await(vertx.close());
    }

    private static String read(DocumentKind kind, byte[] bytes) {
        return Waiting.await(texts.read(kind, Buffer.buffer(bytes)));
    }

    private static void refuses(DocumentKind kind, byte[] bytes, String reason) {
        assertThatThrownBy(() -> read(kind, bytes))
                .hasStackTraceContaining(UnreadableDocument.class.getName())
                .hasStackTraceContaining(reason);
    }

    private static byte[] pdf(String line, boolean locked) throws IOException {
        try (var document = new PDDocument();
                var bytes = new ByteArrayOutputStream()) {
            var page = new PDPage();
            document.addPage(page);
            try (var content = new PDPageContentStream(document, page)) {
                content.beginText();
                content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA), 12);
                content.newLineAtOffset(50, 700);
                content.showText(line);
                content.endText();
            }
            if (locked) {
                document.protect(new StandardProtectionPolicy("owner", "reader", new AccessPermission()));
            }
            document.save(bytes);
            return bytes.toByteArray();
        }
    }

    /** @param repeated number of repetitions of the part's text */
    private static byte[] docx(String part, String before, String repeated, int times, String after)
            throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry(part));
            zip.write(before.getBytes(StandardCharsets.UTF_8));
            var piece = repeated.getBytes(StandardCharsets.UTF_8);
            for (var count = 0; count < times; count++) {
                zip.write(piece);
            }
            zip.write(after.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static String document(String body) {
        return "<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body>" + body
                + "</w:body></w:document>";
    }

    @Test
    void readsAPdf() throws IOException {
        assertThat(read(DocumentKind.PDF, pdf("The mill stands in Ghent.", false))
                        .strip())
                .isEqualTo("The mill stands in Ghent.");
    }

    @Test
    void readsAWordDocument_paragraphByParagraph() throws IOException {
        var body = "<w:p><w:r><w:t>The mill</w:t></w:r><w:r><w:t xml:space=\"preserve\"> turns.</w:t></w:r></w:p>"
                + "<w:p><w:r><w:t>Twice</w:t><w:tab/><w:t>a day.</w:t></w:r><w:instrText>HIDDEN</w:instrText></w:p>";

        var text = read(DocumentKind.DOCX, docx("word/document.xml", document(body), "", 0, ""));

        assertThat(text).isEqualTo("The mill turns.\nTwice\ta day.\n");
    }

    @Test
    void readsAPage_withoutInvisibleText() {
        var page = "<html><head><title>Mill</title><script>steal()</script></head><body><h1>Hours</h1>"
                + "<p>Open   daily</p><ul><li>Monday</li></ul></body></html>";

        assertThat(read(DocumentKind.HTML, page.getBytes(StandardCharsets.UTF_8)))
                .contains("Hours\nOpen daily\nMonday")
                .doesNotContain("steal");
    }

    @Test
    void readsTexts_asTheyAreWritten() {
        assertThat(read(DocumentKind.PLAIN, "\uFEFFGrüße\0".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("Grüße");
        assertThat(read(DocumentKind.CSV, "a,b\n1,2".getBytes(StandardCharsets.UTF_16)))
                .isEqualTo("a,b\n1,2");
    }

    @Test
    void refusesAFileOfAnotherTypeThanDeclared() throws IOException {
        refuses(DocumentKind.PDF, "%PDF-1.7 nothing".getBytes(StandardCharsets.UTF_8), "damaged");
        refuses(DocumentKind.DOCX, "no zip file".getBytes(StandardCharsets.UTF_8), "not a Word document");
        refuses(DocumentKind.PDF, pdf("Secret", true), "password");
    }

    @Test
    void refusesAZipBomb_withoutUnpackingIt() throws IOException {
        // Some hundred kilobytes that unpack to 400 MB: in a skipped part, and in the main part.
        var blanks = " ".repeat(1 << 20);

        refuses(DocumentKind.DOCX, docx("word/media.bin", "", blanks, 400, ""), "unpacks to more than");
        refuses(
                DocumentKind.DOCX,
                docx("word/document.xml", document("").replace("</w:body></w:document>", ""), blanks, 400, ""),
                "unpacks to more than");
    }

    @Test
    void refusesEntities_andTextsThatAreTooLong() throws IOException {
        var bomb = "<!DOCTYPE w [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]>"
                + document("<w:p><w:t>&b;</w:t></w:p>");
        refuses(DocumentKind.DOCX, docx("word/document.xml", bomb, "", 0, ""), "damaged");

        refuses(
                DocumentKind.DOCX,
                docx("word/document.xml", document("").replace("</w:body></w:document>", "<w:t>"), "long", 5_000, ""),
                "more than 10000 characters");
        refuses(
                DocumentKind.PLAIN,
                "x".repeat(CHARACTERS_MAX + 1).getBytes(StandardCharsets.UTF_8),
                "more than 10000 characters");
    }

    @Test
    void findsTheKind_byNameOrType() {
        assertThat(DocumentKind.of("report.PDF", "application/octet-stream")).contains(DocumentKind.PDF);
        assertThat(DocumentKind.of("notes", "text/plain; charset=utf-8")).contains(DocumentKind.PLAIN);
        assertThat(DocumentKind.of("mill.png", "image/png")).isEmpty();
    }
}
