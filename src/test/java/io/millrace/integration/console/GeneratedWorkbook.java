package io.millrace.integration.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Workbook of random cells, with the variants of real writers: shared and inline texts, runs, booleans, formulas,
 * dates, gaps, namespace prefixes, stored and deflated entries.
 */
final class GeneratedWorkbook {
    private static final List<String> WORDS = List.of(
            "Ada",
            "Zürich",
            "a,b",
            "say \"so\"",
            "two\nlines",
            "<tag> & more",
            "😀",
            "日本",
            "'tis",
            "=1+1",
            " spaces ",
            "semi;colon",
            "tab\there");

    private final Random random;
    private final List<String> shared = new ArrayList<>();
    private final List<List<String>> expected = new ArrayList<>();
    private final String prefix;

    GeneratedWorkbook(Random random) {
        this.random = random;
        prefix = random.nextInt(4) == 0 ? "x:" : "";
    }

    List<List<String>> expected() {
        return expected;
    }

    byte[] file() throws IOException {
        expected.clear();
        shared.clear();
        var sheet = sheet(2 + random.nextInt(6), 1 + random.nextInt(40));
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            put(zip, "[Content_Types].xml", "<Types/>");
            put(
                    zip,
                    "xl/workbook.xml",
                    "<workbook xmlns:r=\"r\"><sheets><sheet name=\"Empty\" sheetId=\"1\" r:id=\"rId1\"/>"
                            + "<sheet name=\"Data &amp; more\" sheetId=\"2\" r:id=\"rId2\"/></sheets></workbook>");
            put(
                    zip,
                    "xl/_rels/workbook.xml.rels",
                    "<Relationships><Relationship Id=\"rId1\" Target=\"worksheets/sheet1.xml\"/>"
                            + "<Relationship Target=\"/xl/worksheets/sheet2.xml\" Id=\"rId2\"/></Relationships>");
            put(zip, "xl/worksheets/sheet1.xml", "<worksheet><sheetData/></worksheet>");
            put(zip, "xl/worksheets/sheet2.xml", sheet);
            put(
                    zip,
                    "xl/styles.xml",
                    "<styleSheet><numFmts><numFmt numFmtId=\"164\" formatCode=\"yyyy\\-mm\\-dd\"/>"
                            + "<numFmt numFmtId=\"165\" formatCode=\"0.00&quot; days&quot;\"/></numFmts>"
                            + "<cellXfs count=\"4\"><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf numFmtId=\"164\"/><xf numFmtId=\"165\"/></cellXfs></styleSheet>");
            put(zip, "xl/sharedStrings.xml", "<sst>" + String.join("", shared) + "</sst>");
        }
        return bytes.toByteArray();
    }

    private void put(ZipOutputStream zip, String name, String text) throws IOException {
        var data = text.getBytes(UTF_8);
        var entry = new ZipEntry(name);
        if (random.nextInt(3) == 0) {
            var checksum = new CRC32();
            checksum.update(data);
            entry.setMethod(ZipEntry.STORED);
            entry.setSize(data.length);
            entry.setCrc(checksum.getValue());
        }
        zip.putNextEntry(entry);
        zip.write(data);
        zip.closeEntry();
    }

    private String sheet(int columns, int rows) {
        var xml = new StringBuilder("<" + prefix + "worksheet><" + prefix + "sheetData>");
        for (var number = 1; number <= rows + 1; number++) {
            var texts = new ArrayList<String>();
            xml.append("<").append(prefix).append("row r=\"").append(number * 2).append("\">");
            for (var column = 0; column < columns; column++) {
                var place = (char) ('A' + column) + String.valueOf(number * 2);
                texts.add(number == 1 ? header(xml, place, column) : cell(xml, place, column == 0));
            }
            xml.append("</").append(prefix).append("row>");
            expected.add(texts);
        }
        return xml.append("</" + prefix + "sheetData></" + prefix + "worksheet>")
                .toString();
    }

    private String header(StringBuilder xml, String place, int column) {
        return inline(xml, place, "Column " + column);
    }

    private String cell(StringBuilder xml, String place, boolean isFilled) {
        return switch (random.nextInt(isFilled ? 6 : 8)) {
            case 0 -> inline(xml, place, word());
            case 1 -> shared(xml, place, word());
            case 2 -> value(xml, place, "", String.valueOf(random.nextInt(100_000) - 50_000));
            case 3 -> {
                var number = random.nextInt(100_000) / 100.0;
                yield value(xml, place, " s=\"3\"", String.valueOf(number));
            }
            case 4 -> {
                var day = 61 + random.nextInt(60_000);
                value(xml, place, random.nextBoolean() ? " s=\"1\"" : " s=\"2\"", String.valueOf(day));
                yield LocalDate.of(1899, 12, 30).plusDays(day).toString();
            }
            case 5 -> {
                var holds = random.nextBoolean();
                value(xml, place, " t=\"b\"", holds ? "1" : "0");
                yield String.valueOf(holds);
            }
            case 6 -> {
                xml.append("<").append(prefix).append("c r=\"").append(place).append("\" s=\"1\"/>");
                yield "";
            }
            default -> "";
        };
    }

    private String word() {
        return WORDS.get(random.nextInt(WORDS.size()));
    }

    private String value(StringBuilder xml, String place, String attributes, String value) {
        var formula = random.nextInt(4) == 0 ? "<" + prefix + "f>A1+1</" + prefix + "f>" : "";
        xml.append("<")
                .append(prefix)
                .append("c r=\"")
                .append(place)
                .append("\"")
                .append(attributes)
                .append(">");
        xml.append(formula)
                .append("<")
                .append(prefix)
                .append("v>")
                .append(value)
                .append("</")
                .append(prefix)
                .append("v>");
        xml.append("</").append(prefix).append("c>");
        return value;
    }

    private String inline(StringBuilder xml, String place, String text) {
        xml.append("<")
                .append(prefix)
                .append("c t=\"inlineStr\" r=\"")
                .append(place)
                .append("\"><")
                .append(prefix)
                .append("is><");
        xml.append(prefix)
                .append("t xml:space=\"preserve\">")
                .append(escaped(text))
                .append("</")
                .append(prefix)
                .append("t></");
        xml.append(prefix).append("is></").append(prefix).append("c>");
        return text;
    }

    private String shared(StringBuilder xml, String place, String text) {
        var middle = text.offsetByCodePoints(0, text.codePointCount(0, text.length()) / 2);
        shared.add(
                random.nextBoolean()
                        ? "<si><t xml:space=\"preserve\">" + escaped(text) + "</t></si>"
                        : "<si><r><rPr><b/></rPr><t>" + escaped(text.substring(0, middle)) + "</t></r><r><t>"
                                + escaped(text.substring(middle))
                                + "</t></r><rPh sb=\"0\" eb=\"1\"><t>reading</t></rPh></si>");
        return valueOfShared(xml, place, text);
    }

    private String valueOfShared(StringBuilder xml, String place, String text) {
        xml.append("<")
                .append(prefix)
                .append("c r=\"")
                .append(place)
                .append("\" t=\"s\"><")
                .append(prefix)
                .append("v>");
        xml.append(shared.size() - 1)
                .append("</")
                .append(prefix)
                .append("v></")
                .append(prefix)
                .append("c>");
        return text;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace("\n", "&#10;")
                .replace("\"", "&quot;");
    }
}
