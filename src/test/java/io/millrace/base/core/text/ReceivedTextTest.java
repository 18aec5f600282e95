package io.millrace.base.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Charset by header, byte order mark or declaration; and bytes that are not text. */
class ReceivedTextTest {
    private static final String MARK = "\uFEFF";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    text/plain; charset=windows-1252      | windows-1252 | Müller € “x”
                    text/plain; charset="Shift_JIS"       | Shift_JIS    | 日本
                    text/plain;Charset=gb18030;a=b        | GB18030      | 你好
                    text/plain; charset=us-ascii          | UTF-8        | Müller
                    text/plain; charset=nonsense          | UTF-8        | Müller
                    text/plain                            | UTF-8        | Müller \uD83D\uDE00
                    application/json                      | UTF-16LE     | {"a":"ü"}
                    application/json                      | UTF-16BE     | {"a":"ü"}
                    application/json                      | UTF-32BE     | [1]
                    application/json                      | UTF-32LE     | [1]
                    application/xml                       | UTF-16LE     | <?xml version="1.0"?><n>ü</n>
                    application/xml                       | ISO-8859-1   | <?xml version="1.0" encoding="ISO-8859-1"?><n>Müller</n>
                    application/soap+xml                  | windows-1251 | <?xml version='1.0' encoding = 'windows-1251'?><n>Привет</n>
                    application/xml; charset=utf-8        | ISO-8859-1   | <?xml version="1.0" encoding="ISO-8859-1"?><n>Müller</n>
                    application/xml                       | UTF-8        | <?xml version="1.0" encoding="UTF-16"?><n>Müller</n>
                    text/html                             | windows-1252 | <!doctype html><meta charset=windows-1252><p>Müller
                    text/html                             | EUC-KR       | <html><META http-equiv=x content='text/html; charset=EUC-KR'>한국
                    text/css                              | ISO-8859-1   | @charset "iso-8859-1"; a::after{content:"ü"}
                    ''                                    | ISO-8859-2   | <html><meta charset='iso-8859-2'>Łódź
                    text/plain; charset=iso-8859-1        | windows-1252 | “Müller” – 5 €
                    application/xml                       | windows-1252 | <?xml version="1.0" encoding="ISO-8859-1"?><n>5 €</n>
                    text/plain; charset=iso-8859-9        | windows-1254 | “Işık”
                    text/plain; charset=shift_jis         | windows-31j  | ①髙
                    text/plain; charset=euc-kr            | x-windows-949 | 똠방각하
                    text/html; charset=gb2312             | GBK          | 镕基
                    text/plain; charset=gbk               | GB18030      | 你好 \uD83D\uDE00
                    text/plain; charset='iso-8859-1'      | ISO-8859-1   | Müller
                    text/plain; charset=latin-1           | ISO-8859-1   | Müller
                    text/plain; charset=cp-1251           | windows-1251 | Привет
                    text/plain; charset=win1250           | windows-1250 | Łódź
                    text/plain; charset=ISO_8859-15:1998  | ISO-8859-15  | 5 €
                    text/plain; charset=macintosh         | x-MacRoman   | Müller
                    text/plain; charset=iso-8859-8-i      | ISO-8859-8   | שלום
                    text/plain; charset=utf-8,            | UTF-8        | Müller
                    application/json; charset=utf-16      | UTF-16LE     | {"a":"ü"}
                    application/json; charset=utf-16      | UTF-16BE     | {"a":"ü"}
                    text/plain; charset=utf-16            | UTF-16LE     | Łódź, ü
                    text/plain; charset=unicode           | UTF-16LE     | hello
                    text/plain; charset=utf-32            | UTF-32LE     | hello
                    application/xml; charset=utf-16       | UTF-16LE     | <?xml version="1.0" encoding="utf-16"?><n>ü</n>
                    application/json; charset=iso-8859-1  | UTF-8        | {"a":"Müller"}
                    application/json; charset=iso-8859-1  | ISO-8859-1   | {"a":"Müller"}
                    application/json; charset=iso-2022-jp | ISO-2022-JP  | {"a":"日本"}
                    """)
    void findsTheCharset(String type, String charset, String text) {
        var read = ReceivedText.of(text.getBytes(Charset.forName(charset)), MediaType.of(type));

        assertThat(read.map(ReceivedText::text)).contains(text);
    }

    @ParameterizedTest
    @CsvSource({"UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"})
    void readsAMark_andDropsIt(String charset) {
        for (var type : List.of("text/plain", "application/json", "text/csv", "text/plain; charset=" + charset)) {
            var read = ReceivedText.of((MARK + "[\"ü\"]").getBytes(Charset.forName(charset)), MediaType.of(type));

            assertThat(read.map(ReceivedText::text)).as(type).contains("[\"ü\"]");
            assertThat(read.map(ReceivedText::whole)).as(type).contains(MARK + "[\"ü\"]");
        }
        var family = MediaType.of("a/b; charset=" + charset.substring(0, Math.min(6, charset.length())));
        var named = ReceivedText.of((MARK + "ü").getBytes(Charset.forName(charset)), family);
        assertThat(named.map(ReceivedText::text)).contains("ü");
    }

    @Test
    void refusesBytesThatAreNoText() {
        var bodies = List.of(
                new byte[] {'M', (byte) 0xFC, 'l'},
                new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
                new byte[] {(byte) 0xC0, (byte) 0x80},
                new byte[] {(byte) 0xE2, (byte) 0x82},
                new byte[] {(byte) 0xFF, (byte) 0xFE, 'a'},
                new byte[] {(byte) 0xFF, (byte) 0xFE, 0, (byte) 0xD8});
        for (var body : bodies) {
            assertThat(ReceivedText.of(body, MediaType.of("text/plain"))).isEmpty();
        }
        assertThat(ReceivedText.of(new byte[] {(byte) 0x81}, MediaType.of("text/plain; charset=windows-1252")))
                .isEmpty();
    }

    @Test
    void keepsAReplacementCharacterThatWasSent() {
        assertThat(ReceivedText.of("a\uFFFDb".getBytes(StandardCharsets.UTF_8)).map(ReceivedText::text))
                .contains("a\uFFFDb");
    }

    @Test
    void neverReplacesAByte() {
        var random = new Random(396);
        for (var round = 0; round < 20_000; round++) {
            var body = new byte[random.nextInt(12)];
            random.nextBytes(body);
            var type = MediaType.of(random.nextBoolean() ? "text/plain" : "application/xml");

            ReceivedText.of(body, type)
                    .ifPresent(read -> assertThat(read.whole().getBytes(read.charset()))
                            .as(read.charset().name())
                            .isEqualTo(body));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "text/csv,TEXT",
        "application/vnd.api+json,TEXT",
        "application/x-ndjson,TEXT",
        "application/xml-dtd,TEXT",
        "application/x-www-form-urlencoded,TEXT",
        "application/x-yaml,TEXT",
        "message/rfc822,TEXT",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet,BINARY",
        "application/x-protobuf,BINARY",
        "application/msgpack,BINARY",
        "application/x-tar,BINARY",
        "font/woff2,BINARY",
        "image/svg+xml,BINARY",
        "'',UNKNOWN",
        "???,UNKNOWN",
        "x-odd/thing,UNKNOWN"
    })
    void knowsTypesOfText(String type, MediaType.Content content) {
        assertThat(MediaType.of(type).content()).isEqualTo(content);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    form-data; name="a;b"; filename="x\\"y.txt"   | a;b | x"y.txt
                    form-data; filename=x.txt; name=a             | a   | x.txt
                    form-data;name = "a" ;filename="C:\\dir\\f"   | a   | C:\\dir\\f
                    form-data; flag; name="a"; filename=""        | a   | ''
                    """)
    void readsParameters(String header, String name, String fileName) {
        var value = HeaderValue.of(header);

        assertThat(value.value()).isEqualTo("form-data");
        assertThat(value.parameter("name")).contains(name);
        assertThat(value.parameter("filename")).contains(fileName);
    }
}
