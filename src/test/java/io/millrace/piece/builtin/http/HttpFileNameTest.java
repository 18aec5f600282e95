package io.millrace.piece.builtin.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.net.OutboundResponse;
import io.millrace.base.net.WebAddress;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpFileNameTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/x | attachment; filename*=iso-8859-1''M%FCller.csv | Müller.csv",
                "/x | attachment; filename=\"MÃ¼ller.csv\" | Müller.csv",
                "/x | attachment; filename=a b.csv | a b.csv",
                "/x | filename=\"c.csv\" | c.csv",
                "/x | attachment; filename*0*=UTF-8''M%C3%BC; filename*1=ller.csv | Müller.csv",
                "/M%FCller.csv | inline | M%FCller.csv",
                "/a/M%C3%BCller+x.csv | inline | Müller+x.csv",
                "/x/y.bin | attachment; filename=\"a b.pdf\" | a b.pdf",
                "/x | attachment; filename=plain.txt; size=3 | plain.txt",
                "/x | attachment; filename=\"old.txt\"; filename*=UTF-8''n%C3%A9w.txt | néw.txt",
                "/x | attachment; filename=\"../../etc/passwd\" | .._.._etc_passwd",
                "/a/photo.jpg?size=1 | inline | photo.jpg",
                "/a/photo | inline | unknown.json",
                "/ | inline | unknown.json"
            })
    void namesTheFile(String target, String disposition, String expected) {
        assertThat(HttpFileName.of(response(target, disposition))).isEqualTo(expected);
    }

    @Test
    void ignoresAnOverlongHeader_andBoundsTheName() {
        var hostile = response("/x.txt", "attachment; filename=\"" + "\\a".repeat(20_000) + "\"");
        var longPath = response("/" + "a".repeat(500) + ".txt", "inline");

        assertThat(HttpFileName.of(hostile)).isEqualTo("x.txt");
        assertThat(HttpFileName.of(longPath)).hasSize(255).endsWith(".txt");
    }

    private static OutboundResponse response(String target, String disposition) {
        var headers = MultiMap.caseInsensitiveMultiMap()
                .add("Content-Type", "application/json; charset=utf-8")
                .add("Content-Disposition", disposition);
        return new OutboundResponse(200, headers, Buffer.buffer(), WebAddress.parse("http://example.com" + target));
    }
}
