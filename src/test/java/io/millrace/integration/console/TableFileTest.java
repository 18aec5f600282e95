package io.millrace.integration.console;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.piece.builtin.data.CsvReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Source;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that the console imports into tables: corpora of separated values, generated workbooks, JSON; and their way back. */
final class TableFileTest {
    private static final Charset WINDOWS = Charset.forName("windows-1252");

    @AutoClose
    private static Context context = Context.newBuilder("js")
            .allowHostAccess(HostAccess.ALL)
            .option("engine.WarnInterpreterOnly", "false")
            .build();

    @BeforeAll
    static void load() throws IOException {
        BiFunction<String, String, String> decode =
                (label, latin) -> new String(latin.getBytes(ISO_8859_1), Charset.forName(label));
        context.getBindings("js").putMember("hostDecode", decode);
        context.eval("js", """
                globalThis.TextDecoder = class {
                  constructor(label = 'utf-8') { this.label = label; }
                  decode(bytes) {
                    const parts = [];
                    for (let at = 0; at < bytes.length; at += 8192) {
                      parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
                    }
                    return hostDecode.apply(this.label, parts.join('')).replace(/^\\ufeff/, '');
                  }
                };
                """);
        context.eval(Source.newBuilder(
                        "js",
                        Path.of("target/test-classes/console/tables/data/tableFile.test.js")
                                .toFile())
                .build());
    }

    private static JsonNode read(byte[] file, String choices) {
        return Json.trusted(context.getBindings("js")
                .getMember("tableFile")
                .execute(new String(file, ISO_8859_1), choices.replace('\'', '"'))
                .asString());
    }

    private static String written(List<List<String>> rows) {
        return context.getBindings("js")
                .getMember("tableText")
                .execute(Json.text(Json.mapper().valueToTree(rows)))
                .asString();
    }

    /** Header and rows; a missing cell is empty. */
    private static List<List<String>> cells(JsonNode read) {
        var all = new ArrayList<List<String>>();
        all.add(texts(read.path("header")));
        read.path("rows").forEach(row -> {
            var texts = new ArrayList<>(texts(row));
            texts.addAll(Collections.nCopies(all.getFirst().size() - texts.size(), ""));
            all.add(texts);
        });
        return all;
    }

    private static List<String> texts(JsonNode list) {
        var texts = new ArrayList<String>();
        list.forEach(text -> texts.add(text.asText()));
        return texts;
    }

    private static List<String> row(String... cells) {
        return List.of(cells);
    }

    private static Arguments corpus(
            String about, byte[] file, String encoding, String separator, int ragged, List<List<String>> expected) {
        return Arguments.of(about, file, encoding, separator, ragged, expected);
    }

    static final List<Arguments> CORPORA = List.of(
            corpus(
                    "Excel, German, Windows-1252",
                    "Name;Ort\r\nMüller;Zürich\r\n".getBytes(WINDOWS),
                    "windows-1252",
                    ";",
                    0,
                    List.of(row("Name", "Ort"), row("Müller", "Zürich"))),
            corpus(
                    "RFC 4180",
                    "a,b\r\n\"x,1\",\"say \"\"so\"\"\"\r\n\"two\r\nlines\",\r\n".getBytes(UTF_8),
                    "utf-8",
                    ",",
                    0,
                    List.of(row("a", "b"), row("x,1", "say \"so\""), row("two\r\nlines", ""))),
            corpus(
                    "commas inside quotes of a semicolon file",
                    "\"Last, first, middle\";\"Sum, net\"\r\n\"Berg, A\";\"1,5\"".getBytes(UTF_8),
                    "utf-8",
                    ";",
                    0,
                    List.of(row("Last, first, middle", "Sum, net"), row("Berg, A", "1,5"))),
            corpus(
                    "byte order mark and sep=",
                    "\ufeffsep=;\r\nA;B\r\n1;\"2;3\"\r\n".getBytes(UTF_8),
                    "utf-8",
                    ";",
                    0,
                    List.of(row("A", "B"), row("1", "2;3"))),
            corpus(
                    "tabs in UTF-16 with a mark",
                    "\ufeffStadt\tLand\r\nKöln\tDeutschland\r\n".getBytes(UTF_16LE),
                    "utf-16le",
                    "\t",
                    0,
                    List.of(row("Stadt", "Land"), row("Köln", "Deutschland"))),
            corpus(
                    "UTF-16 big-endian without a mark",
                    "id,name\nx1,Ada\n".getBytes(UTF_16BE),
                    "utf-16be",
                    ",",
                    0,
                    List.of(row("id", "name"), row("x1", "Ada"))),
            corpus(
                    "pipes",
                    "id|text|n\n1|a,b;c|2\n2|d|3\n".getBytes(UTF_8),
                    "utf-8",
                    "|",
                    0,
                    List.of(row("id", "text", "n"), row("1", "a,b;c", "2"), row("2", "d", "3"))),
            corpus(
                    "columns of the same name",
                    "Name,Name,Ort\n1,2,3\n".getBytes(UTF_8),
                    "utf-8",
                    ",",
                    0,
                    List.of(row("Name", "Name_2", "Ort"), row("1", "2", "3"))),
            corpus(
                    "ragged rows",
                    "a,b\n1\n1,2,3\n4,5\n".getBytes(UTF_8),
                    "utf-8",
                    ",",
                    2,
                    List.of(row("a", "b", "3"), row("1", "", ""), row("1", "2", "3"), row("4", "5", ""))),
            corpus(
                    "line ends of old Macs and blank lines",
                    "a;b\r\r1;2\r3;4".getBytes(UTF_8),
                    "utf-8",
                    ";",
                    0,
                    List.of(row("a", "b"), row("1", "2"), row("3", "4"))),
            corpus(
                    "formulas and apostrophes",
                    "a,b\n'=1+1,'tis\n-5,''@x\n".getBytes(UTF_8),
                    "utf-8",
                    ",",
                    0,
                    List.of(row("a", "b"), row("=1+1", "'tis"), row("-5", "'@x"))),
            corpus(
                    "letters beyond the first plane",
                    "name;note\n😀;\"naïve — “quoted”\"\n日本;Ω\n".getBytes(UTF_8),
                    "utf-8",
                    ";",
                    0,
                    List.of(row("name", "note"), row("😀", "naïve — “quoted”"), row("日本", "Ω"))));

    @ParameterizedTest(name = "{0}")
    @FieldSource("CORPORA")
    void readsCorpora_andReadsAgainWhatItWrites(
            String about, byte[] file, String encoding, String separator, int ragged, List<List<String>> expected) {
        var read = read(file, "{}");

        assertThat(cells(read)).as(about).isEqualTo(expected);
        assertThat(read.path("encoding").asText()).isEqualTo(encoding);
        assertThat(read.path("separator").asText()).isEqualTo(separator);
        assertThat(read.path("ragged").asInt()).isEqualTo(ragged);
        assertThat(cells(read(written(expected).getBytes(UTF_8), "{}"))).isEqualTo(expected);
    }

    @Test
    void readsWithTheChosenEncodingAndSeparator() {
        var cyrillic = "Имя,Город;Код\nАнна,Пермь;7\n".getBytes(Charset.forName("windows-1251"));

        assertThat(cells(read(cyrillic, "{'encoding':'windows-1251','separator':';'}")))
                .isEqualTo(List.of(row("Имя,Город", "Код"), row("Анна,Пермь", "7")));
    }

    static Stream<Integer> seeds() {
        return IntStream.range(0, 20).boxed();
    }

    @ParameterizedTest(name = "workbook {0}")
    @MethodSource("seeds")
    void readsGeneratedWorkbooks_andReadsAgainWhatItWrites(int seed) throws IOException {
        var workbook = new GeneratedWorkbook(new Random(seed));

        var read = read(workbook.file(), "{}");

        assertThat(read.path("kind").asText()).isEqualTo("xlsx");
        assertThat(cells(read)).isEqualTo(workbook.expected());
        assertThat(cells(read(written(workbook.expected()).getBytes(UTF_8), "{}")))
                .isEqualTo(workbook.expected());
    }

    private static final String RELATIONSHIPS =
            "<Relationships><Relationship Id='r1' Type='http://x/worksheet' Target='/xl/first.xml'/><Relationship"
                    + " Id=\"r2\" Type=\"http://x/sharedStrings\" Target=\"Strings.xml\"/><Relationship Id='r3'"
                    + " Type='http://x/styles' Target='styles2.xml'/></Relationships>";

    private static final String STYLES = "<styleSheet><numFmts><numFmt numFmtId='164' formatCode='[h]:mm'/><numFmt"
            + " numFmtId='165' formatCode='yyyy\\-mm\\-dd'/><numFmt numFmtId='166' formatCode='0 \"days\"'/><numFmt"
            + " numFmtId='167' formatCode='[Red][$-409]d mmm'/></numFmts><cellXfs><xf numFmtId='0'/><xf"
            + " numFmtId='164'/><xf numFmtId='165'/><xf numFmtId='166'/><xf numFmtId='46'/><xf numFmtId='20'/><xf"
            + " numFmtId='167'/></cellXfs></styleSheet>";

    static final List<Arguments> SHEETS = List.of(
            Arguments.of("single quotes", "<c r='A2' t='str'><v>x</v></c><c r='C2'><v>1</v></c>", row("x", "", "1")),
            Arguments.of("a shared string at another place", "<c t='s'><v>1</v></c>", row("Müller & Söhne", "", "")),
            Arguments.of(
                    "literal text",
                    "<c t='inlineStr'><is><t><![CDATA[a & <b>]]></t></is></c><!-- <c><v>9</v></c> --><c><v>2</v></c>",
                    row("a & <b>", "2", "")),
            Arguments.of(
                    "durations of more than a day",
                    "<c s='1'><v>1.5</v></c><c s='4'><v>-0.25</v></c><c s='1'><v>0.0625</v></c>",
                    row("36:00:00", "-6:00:00", "1:30:00")),
            Arguments.of(
                    "a time, a date, and a number of days",
                    "<c s='5'><v>0.5</v></c><c s='2'><v>45000</v></c><c s='3'><v>45000</v></c>",
                    row("12:00:00", "2023-03-15", "45000")),
            Arguments.of("a date with a colour", "<c s='6'><v>45000</v></c>", row("2023-03-15", "", "")),
            Arguments.of(
                    "escapes of escapes",
                    "<c t='inlineStr'><is><t>_x005F_x0041_ _x0041_</t></is></c>",
                    row("_x0041_ A", "", "")),
            Arguments.of(
                    "results of formulas",
                    "<c t='b'><f>A1=1</f><v>1</v></c><c t='e'><v>#N/A</v></c><c t='str'><f>\"a\"</f><v></v></c>",
                    row("true", "#N/A", "")),
            Arguments.of(
                    "numbers as they are stored",
                    "<c><v>0123</v></c><c><v>123456789012345</v></c><c><v>1E-7</v></c>",
                    row("0123", "123456789012345", "1E-7")),
            Arguments.of(
                    "integers of 64 bits",
                    "<c><v>8202522731445525542</v></c><c><v>-9007199254740993</v></c><c><v>0.30000000000000004</v></c>",
                    row("8202522731445525542", "-9007199254740993", "0.30000000000000004")),
            Arguments.of("another prefix", "<x:c t='inlineStr'><x:is><x:t>p</x:t></x:is></x:c>", row("p", "", "")));

    @ParameterizedTest(name = "{0}")
    @FieldSource("SHEETS")
    void readsWorkbooksOfOtherPrograms(String about, String cells, List<String> expected) throws IOException {
        var header = "<row><c t='inlineStr'><is><t>a</t></is></c><c t='inlineStr'><is><t>b</t></is></c>"
                + "<c t='inlineStr'><is><t>c</t></is></c></row>";
        for (var charset : List.of(UTF_8, UTF_16LE)) {
            var sheet = "\ufeff<?xml version='1.0'?><worksheet><sheetData>" + header + "<row>" + cells
                    + "</row></sheetData></worksheet>";
            var file = workbook(Map.of(
                    "xl/workbook.xml",
                    "<workbook><sheets><sheet name='S' r:id='r1'/></sheets></workbook>".getBytes(UTF_8),
                    "xl/_rels/workbook.xml.rels",
                    RELATIONSHIPS.getBytes(UTF_8),
                    "xl/First.xml",
                    sheet.getBytes(charset),
                    "xl/strings.xml",
                    "<sst><si><t>no</t></si><si><r><t>Müller </t></r><r><t>&amp; Söhne</t></r></si></sst>"
                            .getBytes(UTF_8),
                    "xl/styles2.xml",
                    STYLES.getBytes(UTF_8)));

            assertThat(cells(read(file, "{}"))).as(about).isEqualTo(List.of(row("a", "b", "c"), expected));
        }
    }

    private static byte[] workbook(Map<String, byte[]> parts) throws IOException {
        var file = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(file)) {
            for (var part : parts.entrySet()) {
                zip.putNextEntry(new ZipEntry(part.getKey()));
                zip.write(part.getValue());
            }
        }
        return file.toByteArray();
    }

    @Test
    void refusesDamagedWorkbooks_withoutAnError() throws IOException {
        var file = new GeneratedWorkbook(new Random(7)).file();
        var random = new Random(11);
        for (var round = 0; round < 300; round++) {
            var damaged = file.clone();
            for (var change = 0; change < 1 + round % 5; change++) {
                damaged[4 + random.nextInt(damaged.length - 4)] = (byte) random.nextInt();
            }
            var cut = Arrays.copyOf(damaged, round % 3 == 0 ? damaged.length : random.nextInt(damaged.length));
            // A file that is no longer a valid archive is read as text; neither throws.
            read(cut, "{}");
        }
    }

    static final List<Arguments> JSON = List.of(
            Arguments.of(
                    "[{'a':1,'b':'x'},{'b':null,'c':[1,{'d':true}]}]",
                    List.of(row("a", "b", "c"), row("1", "x", ""), row("", "", "[1,{\"d\":true}]"))),
            Arguments.of("[['a','b'],[1,2]]", List.of(row("a", "b"), row("1", "2"))),
            Arguments.of("{'name':'T','rows':[{'a':'1'}]}", List.of(row("a"), row("1"))),
            Arguments.of("{'a':1}\n{'a':2}\n", List.of(row("a"), row("1"), row("2"))),
            Arguments.of(
                    "[{'constructor':'a','__proto__':'b'},{'toString':1}]",
                    List.of(row("constructor", "__proto__", "toString"), row("a", "b", ""), row("", "", "1"))),
            Arguments.of("[{'':1,' a':2,'a ':3}]", List.of(row("1", "a", "a_2"), row("1", "2", "3"))),
            Arguments.of("[{'a':1,'a':2}]", List.of(row("a"), row("2"))),
            Arguments.of("[['a','a'],['1']]", List.of(row("a", "a_2"), row("1", ""))),
            Arguments.of("[{'a':'\\u0000','b':'\\ud800'}]", List.of(row("a", "b"), row("\0", "\ud800"))),
            Arguments.of("{'data':[{'a':[]},{'a':{}}]}", List.of(row("a"), row("[]"), row("{}"))),
            Arguments.of("{not json;b\n1;2\n", List.of(row("{not json", "b"), row("1", "2"))));

    @ParameterizedTest(name = "{0}")
    @FieldSource("JSON")
    void readsJson(String text, List<List<String>> expected) {
        assertThat(cells(read(text.replace('\'', '"').getBytes(UTF_8), "{}"))).isEqualTo(expected);
    }

    @Test
    void readsHundredThousandRows() {
        var text = new StringBuilder("id;name\n");
        IntStream.rangeClosed(1, 100_000)
                .forEach(id -> text.append(id).append(";\"n;").append(id).append("\"\n"));

        var read = read(text.toString().getBytes(UTF_8), "{}");

        assertThat(read.path("rows")).hasSize(100_000);
        assertThat(texts(read.path("rows").get(99_999))).containsExactly("100000", "n;100000");
    }

    /** The step rejects ragged rows, and leaves apostrophes before formulas to the flow. */
    static Stream<Arguments> corporaOfTheStep() {
        return CORPORA.stream().filter(corpus -> corpus.get()[4].equals(0));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("corporaOfTheStep")
    void theCsvStepReadsTheSame(
            String about, byte[] file, String encoding, String separator, int ragged, List<List<String>> expected) {
        var text = new String(file, Charset.forName(encoding));

        var rows = CsvReader.read(text, true, CsvReader.DETECTED);

        var header = expected.getFirst();
        assertThat(rows).as(about).hasSize(expected.size() - 1);
        for (var index = 0; index < rows.size(); index++) {
            var row = rows.get(index);
            for (var column = 0; column < header.size(); column++) {
                var cell = expected.get(index + 1).get(column);
                var found = row.path(header.get(column)).asText("");
                assertThat(found.replaceFirst("^'(?='*[=+@-])", "")).isEqualTo(cell);
            }
        }
    }
}
