package io.millrace.integration.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.IntFunction;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Workbook with one sheet of two columns: a number and a name. */
final class LargeWorkbook {
    private static final String MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    private static final String DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    private static final String PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships";

    private LargeWorkbook() {}

    /** Writes the file. */
    static byte[] of(int rows, IntFunction<String> name) {
        var file = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(file)) {
            put(
                    zip,
                    "_rels/.rels",
                    "<Relationships xmlns=\"" + PACKAGE + "\"><Relationship Id=\"r1\" Type=\"" + DOCUMENT
                            + "/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>");
            put(
                    zip,
                    "xl/workbook.xml",
                    "<workbook xmlns=\"" + MAIN + "\" xmlns:r=\"" + DOCUMENT
                            + "\"><sheets><sheet name=\"Rows\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>");
            put(
                    zip,
                    "xl/_rels/workbook.xml.rels",
                    "<Relationships xmlns=\"" + PACKAGE + "\"><Relationship Id=\"r1\" Type=\"" + DOCUMENT
                            + "/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>");
            put(zip, "xl/worksheets/sheet1.xml", sheet(rows, name));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return file.toByteArray();
    }

    private static String sheet(int rows, IntFunction<String> name) {
        var xml = new StringBuilder("<worksheet xmlns=\"" + MAIN + "\"><sheetData><row r=\"1\">");
        xml.append(text("A1", "Number")).append(text("B1", "Name")).append("</row>");
        for (var number = 1; number <= rows; number++) {
            var row = number + 1;
            xml.append("<row r=\"")
                    .append(row)
                    .append("\"><c r=\"A")
                    .append(row)
                    .append("\"><v>")
                    .append(number);
            xml.append("</v></c>").append(text("B" + row, name.apply(number))).append("</row>");
        }
        return xml.append("</sheetData></worksheet>").toString();
    }

    private static String text(String place, String text) {
        return "<c r=\"" + place + "\" t=\"inlineStr\"><is><t>"
                + text.replace("&", "&amp;").replace("<", "&lt;") + "</t></is></c>";
    }

    private static void put(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text.getBytes(UTF_8));
        zip.closeEntry();
    }
}
