package io.millrace.sandbox.document;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipInputStream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Text of a Word document: a zip file whose main part is XML. Reading stops when the unpacked size exceeds the limit. */
final class WordText {
    private static final String MAIN_PART = "word/document.xml";
    private static final int PARTS_MAX = 10_000;

    /** Documents have about this number of bytes of XML per character of text; far larger ones are refused. */
    private static final long UNPACKED_BYTES_MAX = 256L << 20;

    private WordText() {}

    static String read(InputStream file, int charactersMax) throws IOException {
        try (var zip = new ZipInputStream(file)) {
            var unpacked = new ZipPartStream(zip);
            var parts = 0;
            for (var part = zip.getNextEntry(); part != null; part = zip.getNextEntry()) {
                if (part.getName().equals(MAIN_PART)) {
                    return text(unpacked, charactersMax);
                }
                if (++parts > PARTS_MAX) {
                    throw new UnreadableDocument("the document has more than " + PARTS_MAX + " parts");
                }
                unpacked.skipAll();
            }
        } catch (XMLStreamException malformed) {
            throw new IOException(malformed);
        }
        throw new UnreadableDocument("the document is not a Word document");
    }

    private static String text(InputStream xml, int charactersMax) throws XMLStreamException {
        var factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        var reader = factory.createXMLStreamReader(xml);
        var text = new StringBuilder();
        var inText = false;
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> inText = opened(reader, text);
                case XMLStreamConstants.END_ELEMENT -> {
                    inText = false;
                    closed(reader, text);
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
                    if (inText) {
                        text.append(reader.getText());
                        checkLength(text, charactersMax);
                    }
                }
                default -> {
                    // Not part of the text.
                }
            }
        }
        return text.toString();
    }

    /** True if text follows. */
    private static boolean opened(XMLStreamReader reader, StringBuilder text) {
        switch (reader.getLocalName()) {
            case "tab" -> text.append('\t');
            case "br", "cr" -> text.append('\n');
            default -> {
                return reader.getLocalName().equals("t");
            }
        }
        return false;
    }

    private static void closed(XMLStreamReader reader, StringBuilder text) {
        switch (reader.getLocalName()) {
            case "p", "tr" -> text.append('\n');
            case "tc" -> text.append('\t');
            default -> {
                // Continues in the same line.
            }
        }
    }

    static void checkLength(StringBuilder text, int charactersMax) {
        if (text.length() > charactersMax) {
            throw new UnreadableDocument("the document has more than " + charactersMax + " characters");
        }
    }

    /** Limits the bytes unpacked from the zip file and fails beyond the limit. */
    private static final class ZipPartStream extends FilterInputStream {
        private static final int PIECE_BYTES = 1 << 16;

        private long left = UNPACKED_BYTES_MAX;

        ZipPartStream(InputStream in) {
            super(in);
        }

        void skipAll() throws IOException {
            var piece = new byte[PIECE_BYTES];
            while (read(piece, 0, piece.length) >= 0) {
                // Counts the skipped bytes too.
            }
        }

        @Override
        public int read() throws IOException {
            return counted(super.read(), 1);
        }

        @Override
        public int read(byte[] bytes, int start, int length) throws IOException {
            var count = super.read(bytes, start, length);
            return counted(count, count);
        }

        private int counted(int result, int count) {
            left -= result < 0 ? 0 : count;
            if (left < 0) {
                throw new UnreadableDocument("the document unpacks to more than " + UNPACKED_BYTES_MAX + " bytes");
            }
            return result;
        }

        /** Ends a part without closing the file. */
        @Override
        public void close() {
            // The XML reader closes its input; the zip file is closed by its opener.
        }
    }
}
