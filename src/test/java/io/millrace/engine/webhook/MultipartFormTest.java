package io.millrace.engine.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.support.MachineSpeed;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of forms: charsets, transfer encodings, nesting, unusual names, damage. */
class MultipartFormTest {
    private static final Charset BYTES = StandardCharsets.ISO_8859_1;
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    @Test
    void decodesEachPartInItsCharset() {
        var form = read(part("name=\"a\"", "Content-Type: text/plain; charset=ISO-8859-1\r\n", "M\u00fcller")
                + part("name=\"b\"", "", "M\u00c3\u00bcller")
                + part("name=\"c\"", "Content-Type: text/plain; charset=utf-16le\r\n", "x\0"));

        assertThat(form.fields()).isEqualTo(Json.trusted("{\"a\":\"Müller\",\"b\":\"Müller\",\"c\":\"x\"}"));
    }

    @Test
    void decodesTextInTheCharsetThatTheFormNames() {
        var form = read(part("name=\"a\"", "", "\u0080") + part("name=\"_charset_\"", "", "windows-1252"));

        assertThat(form.fields().path("a").asText()).isEqualTo("€");
    }

    @Test
    void keepsAPartThatIsNoTextAsAFile() {
        var form = read(part("name=\"a\"", "", "M\u00fcller")
                + part("name=\"b\"", "Content-Type: application/octet-stream\r\n", "plain"));

        assertThat(form.fields()).isEmpty();
        assertThat(form.uploads()).extracting(Webhooks.Upload::field).containsExactlyInAnyOrder("b", "a");
        assertThat(form.uploads().getLast().data().getBytes()).isEqualTo("M\u00fcller".getBytes(BYTES));
    }

    /** Each would take minutes if the work grew with the square of the length. */
    @Test
    void readsLongPartsInTheTimeOfAScan() {
        var quoted = "Content-Transfer-Encoding: quoted-printable\r\n";
        var folded = "X-Long: a\r\n" + " b\n".repeat(20_000);

        Assertions.assertTimeoutPreemptively(MachineSpeed.deadline(DEADLINE), () -> {
            var form =
                    read(part("name=\"a\"", quoted, " ".repeat(20_000_000) + "x \t" + " ".repeat(5_000_000) + "\r\ny"));
            assertThat(form.fields().path("a").asText()).endsWith(" x\r\ny").hasSize(20_000_004);
            assertThat(read(part("name=\"a\"", folded, "x").repeat(100))
                            .fields()
                            .path("a"))
                    .hasSize(100);
            assertThat(Envelope.form("a&".repeat(9_999) + "b".repeat(25_000_000), StandardCharsets.UTF_8))
                    .hasSize(2);
        });
    }

    @Test
    void undoesTransferEncodings() {
        var form = read(part("name=\"a\"", "Content-Transfer-Encoding: base64\r\n", "TcO8\r\nbGxlcg==")
                + part(
                        "name=\"b\"",
                        "content-transfer-encoding: Quoted-Printable\r\n",
                        "M=C3=BC=\r\nller = =3D".replace(" = ", " "))
                + part("name=\"c\"; filename=\"f\"", "Content-Transfer-Encoding: base64\r\n", "AAEC/w==")
                + part("name=\"d\"", "Content-Transfer-Encoding: 8bit\r\n", "x"));

        assertThat(form.fields()).isEqualTo(Json.trusted("{\"a\":\"Müller\",\"b\":\"Müller =\",\"d\":\"x\"}"));
        assertThat(form.uploads().getFirst().data().getBytes()).containsExactly(0, 1, 2, 0xff);
    }

    @Test
    void readsFilesInsideOfAField() {
        var inner = "--in\r\nContent-Disposition: file; filename=\"1\"\r\n\r\none\r\n"
                + "--in\r\nContent-Disposition: file; filename=\"2\"\r\n\r\ntwo\r\n--in--\r\n";

        var form = read(part("name=\"files\"", "Content-Type: multipart/mixed; boundary=in\r\n", inner));

        assertThat(form.uploads()).extracting(Webhooks.Upload::field).containsExactly("files", "files");
        assertThat(form.uploads()).extracting(Webhooks.Upload::fileName).containsExactly("1", "2");
    }

    @Test
    void readsNamesOfFiles() {
        var form = read(part("name=\"a\"; filename=\"M\u00c3\u00bcller.txt\"", "", "")
                + part("name=\"a\"; filename=\"x\"; filename*=UTF-8''M%C3%BCl+ler.txt", "", "")
                + part("name=\"a\"; filename=\"q%22q\"", "", "")
                + part("name=\"a\"; filename=\"\"", "", ""));

        assertThat(form.uploads())
                .extracting(Webhooks.Upload::fileName)
                .containsExactly("Müller.txt", "Mül+ler.txt", "q\"q", "");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            name*=UTF-8''M%C3%BCller                                       | text  | Müller |
            name*=iso-8859-1''M%FCller; filename=f                          | text  | Müller | f
            name="a"; filename*0="long "; filename*1="name.txt"             | text  | a      | long name.txt
            name="a"; filename*0*=UTF-8''M%C3%BC; filename*1*=l%25ler.txt   | text  | a      | Mül%ler.txt
            name="a"; filename*0*=UTF-8''M%C3%BC; filename*1="l%ler.txt"    | text  | a      | Mül%ler.txt
            name="a"; filename*=x-none''y; filename="plain.txt"             | text  | a      | plain.txt
            name="a"; filename*="utf-8'de'%e2%82%ac%22.txt"                 | text  | a      | €".txt
            name="a%22b"; filename="c%0Dd"                                  | text  | a"b    | c\\rd
            """)
    void readsNamesOfEverySpelling(String disposition, String content, String name, String fileName) {
        var form = read(part(disposition, "", content));

        if (fileName == null) {
            assertThat(form.fields().path(name).asText()).isEqualTo(content);
        } else {
            assertThat(form.uploads().getFirst().field()).isEqualTo(name);
            assertThat(form.uploads().getFirst().fileName()).isEqualTo(fileName.replace("\\r", "\r"));
        }
    }

    @Test
    void decodesTextInTheCharsetOfTheWholeForm() {
        var body = part("name=\"a\"", "", "M\u00fcller \u0080")
                + part("name=\"b\"", "Content-Type: text/plain; charset=utf-8\r\n", "M\u00c3\u00bcller") + "--edge--";

        var form = MultipartForm.read(body.getBytes(BYTES), "edge", Optional.of("iso-8859-1"));

        assertThat(form.fields()).isEqualTo(Json.trusted("{\"a\":\"Müller €\",\"b\":\"Müller\"}"));
    }

    @Test
    void readsFoldedHeaders() {
        var form = MultipartForm.read(
                ("--edge\r\nContent-Disposition: form-data;\r\n\tname=\"a\";\r\n filename=\"f.txt\"\r\n"
                                + "Content-Type: text/plain;\r\n charset=utf-8\r\n\r\nx\r\n--edge--")
                        .getBytes(BYTES),
                "edge",
                Optional.empty());

        assertThat(form.uploads().getFirst().field()).isEqualTo("a");
        assertThat(form.uploads().getFirst().fileName()).isEqualTo("f.txt");
        assertThat(form.uploads().getFirst().contentType()).isEqualTo("text/plain; charset=utf-8");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            base64           | TcO8*bGxlcg==  | expected base64 in the field photo
            base64           | TcO8bGxlcg===  | expected base64 in the field photo
            BASE64           | x              | expected BASE64 in the field photo
            quoted-printable | =4             | expected quoted-printable in the field photo
            """)
    void namesTheFieldThatIsDamaged(String encoding, String content, String message) {
        var body = part("name=\"photo\"", "Content-Transfer-Encoding: " + encoding + "\r\n", content);

        assertThatThrownBy(() -> read(body)).isInstanceOf(ApiException.class).hasMessageContaining(message);
    }

    @Test
    void readsBase64InTheAlphabetOfUrls() {
        var form = read(part("name=\"a\"; filename=\"f\"", "Content-Transfer-Encoding: base64\r\n", "-_-_\r\n-_8"));

        assertThat(form.uploads().getFirst().data().getBytes()).containsExactly(0xfb, 0xff, 0xbf, 0xfb, 0xff);
    }

    @Test
    void dropsASoftLineBreakAtTheEndOfAPart() {
        var form = read(part("name=\"a\"", "Content-Transfer-Encoding: quoted-printable\r\n", "x=3D="));

        assertThat(form.fields().path("a").asText()).isEqualTo("x=");
    }

    /** Contents over a small alphabet reach every pair of signs within a few thousand rounds. */
    @Test
    void decodesOrRefusesEveryQuotedContent() {
        var random = new Random(43);
        var refused = 0;
        for (var round = 0; round < 20_000; round++) {
            var content = new StringBuilder();
            for (var left = random.nextInt(7); left > 0; left--) {
                content.append("=4zA\r\n \t\u00e9".charAt(random.nextInt(9)));
            }
            try {
                read(part("name=\"a\"", "Content-Transfer-Encoding: quoted-printable\r\n", content.toString()));
            } catch (ApiException damaged) {
                assertThat(damaged).hasMessageContaining("expected quoted-printable in the field a");
                refused++;
            }
        }
        assertThat(refused).isBetween(1_000, 19_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"==", "x==", "=4", "=\r", "=\rx", "=4=", "=+1", "= 1"})
    void refusesAnEqualsSignWithoutDigits(String content) {
        assertThatThrownBy(() -> read(part("name=\"a\"", "Content-Transfer-Encoding: quoted-printable\r\n", content)))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("expected quoted-printable in the field a");
    }

    @Test
    void takesForAContentWhatOnlyLooksLikeABoundary() {
        for (var content : List.of("--edgeless", "x--edge", "\r\n--edg\r\n", "--", "\r\n", "\n", "a\r\n\r\n", "")) {
            assertThat(read(part("name=\"a\"", "", content)).fields().path("a").asText())
                    .isEqualTo(content);
        }
    }

    @Test
    void returnsTheBytesOfEveryFile() {
        var random = new Random(7);
        for (var round = 0; round < 300; round++) {
            var bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            var form = read(part("name=\"f\"; filename=\"f\"", "", new String(bytes, BYTES)));

            assertThat(form.uploads().getFirst().data().getBytes()).isEqualTo(bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "--edge\r\n",
                "--edge\r\nContent-Disposition: form-data; name=a\r\n\r\nno end",
                "--edge\r\nContent-Disposition: form-data; name=a\r\n\r\nno end\r\n--edge",
                "--edge\r\nContent-Disposition: form-data\r\n\r\nx\r\n--edge--",
                "--edge\r\nno header at all",
                "--edge\r\nContent-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=zz\r\n--edge--"
            })
    void refusesDamagedForms(String body) {
        assertThatThrownBy(() -> MultipartForm.read(body.getBytes(BYTES), "edge", Optional.empty()))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("Invalid multipart form");
    }

    @Test
    void staysWithinItsErrors_whenBytesAreDamaged() {
        var random = new Random(8);
        var whole = (part("name=\"a\"", "Content-Transfer-Encoding: quoted-printable\r\n", "=41")
                        + part(
                                "name=\"b\"; filename*=UTF-8''x",
                                "Content-Type: multipart/mixed; boundary=edge\r\n",
                                "x")
                        + "--edge--\r\n")
                .getBytes(BYTES);
        for (var round = 0; round < 20_000; round++) {
            var body = whole.clone();
            for (var spoilt = 0; spoilt < 3; spoilt++) {
                body[random.nextInt(body.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(MultipartForm.read(body, "edge", Optional.empty())).isNotNull();
            } catch (ApiException refused) {
                assertThat(refused).hasMessageStartingWith("INVALID_INPUT: body/ ");
            }
        }
    }

    private static String part(String disposition, String headers, String content) {
        return "--edge\r\nContent-Disposition: form-data; " + disposition + "\r\n" + headers + "\r\n" + content
                + "\r\n";
    }

    private static MultipartForm.Read read(String parts) {
        return MultipartForm.read((parts + "--edge--\r\n").getBytes(BYTES), "edge", Optional.empty());
    }
}
