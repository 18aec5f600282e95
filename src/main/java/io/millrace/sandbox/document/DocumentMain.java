package io.millrace.sandbox.document;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.encryption.InvalidPasswordException;
import org.apache.pdfbox.text.PDFTextStripper;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.parser.Parser;

/**
 * Reads one document from standard input and writes its text, then exits. Runs in a separate process. The first byte of the output
 * says if a text follows or why there is none.
 */
final class DocumentMain {
    static final byte TEXT = 0;
    static final byte REASON = 1;

    /** Elements beyond this depth become siblings, so that parsing takes time linear in the text. */
    private static final int DEPTH_MAX = 150;

    private static final String BLOCKS =
            "p, div, li, tr, br, h1, h2, h3, h4, h5, h6, section, article, pre, blockquote";

    private DocumentMain() {}

    /** @param arguments the kind of document, and how many characters its text may have */
    public static void main(String[] arguments) throws IOException {
        var bytes = new BufferedInputStream(System.in).readAllBytes();
        byte[] answer;
        byte first = TEXT;
        try {
            answer = read(DocumentKind.valueOf(arguments[0]), bytes, Integer.parseInt(arguments[1]))
                    .getBytes(StandardCharsets.UTF_8);
        } catch (IOException | RuntimeException malformed) {
            first = REASON;
            answer = reason(malformed).getBytes(StandardCharsets.UTF_8);
        }
        try (var out = new FileOutputStream(FileDescriptor.out)) {
            out.write(first);
            out.write(answer);
        }
    }

    private static String reason(Exception malformed) {
        return switch (malformed) {
            case InvalidPasswordException _ -> "the document is protected by a password";
            case UnreadableDocument known -> known.getMessage();
            case Exception _ -> "the document is damaged or of another type than declared";
        };
    }

    private static String read(DocumentKind kind, byte[] bytes, int charactersMax) throws IOException {
        return switch (kind) {
            case PDF -> pdf(bytes, charactersMax);
            case DOCX -> WordText.read(new ByteArrayInputStream(bytes), charactersMax);
            case HTML -> html(bytes);
            case PLAIN, MARKDOWN, CSV, JSON -> throw new IllegalArgumentException("expected a document to parse");
        };
    }

    private static String pdf(byte[] bytes, int charactersMax) throws IOException {
        try (PDDocument document = Loader.loadPDF(bytes)) {
            var text = new StringBuilder();
            var stripper = new PDFTextStripper();
            for (var page = 1; page <= document.getNumberOfPages(); page++) {
                stripper.setStartPage(page);
                stripper.setEndPage(page);
                text.append(stripper.getText(document));
                WordText.checkLength(text, charactersMax);
            }
            return text.toString();
        }
    }

    private static String html(byte[] bytes) throws IOException {
        Document page = Jsoup.parse(
                new ByteArrayInputStream(bytes), null, "", Parser.htmlParser().setMaxDepth(DEPTH_MAX));
        page.select("script, style, noscript, template").remove();
        page.select(BLOCKS).forEach(block -> block.before("\n"));
        return page.wholeText()
                .replaceAll("[ \\t\\x0B\\f\\r]+", " ")
                .replaceAll(" ?\\n[ \\n]*", "\n")
                .strip();
    }
}
