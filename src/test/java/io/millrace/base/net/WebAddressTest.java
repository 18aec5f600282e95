package io.millrace.base.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebAddressTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1/",
                "http://127.1/",
                "http://127.0.1/",
                "http://2130706433/",
                "http://0x7f000001/",
                "http://0x7f.0x0.0x0.0x1/",
                "http://0177.0.0.1/",
                "http://017700000001/",
                "http://127.0.0.1./",
                "http://%31%32%37.0.0.1/",
                "http://１２７.0.0.1/",
                "http://127。0。0。1/",
                "http://[::ffff:127.0.0.1]/",
                "http://[::ffff:7f00:1]/",
                "http://example.com@127.0.0.1/",
                "http://example.com:80@127.0.0.1/",
                "http://a@b@127.0.0.1/",
                "http:\\\\127.0.0.1\\",
                "HTTP://127.0.0.1",
                " http://127.0.0.1/#@example.com",
                "http://127.0.0.1?@example.com"
            })
    void readsEverySpellingOfLoopbackAsTheAddress(String url) {
        assertThat(WebAddress.parse(url).host()).isEqualTo("127.0.0.1");
    }

    @ParameterizedTest
    @CsvSource({
        "http://Example.COM, example.com, 80, /",
        "https://example.com:8443/a?b=c#d, example.com, 8443, /a?b=c",
        "https://example.com:443, example.com, 443, /",
        "http://example.com., example.com., 80, /",
        "http://[2001:DB8:0:0::1]:81/x, 2001:db8::1, 81, /x",
        "http://bücher.example/ü b, xn--bcher-kva.example, 80, /%C3%BC%20b",
        "http://example.com/a/./b/../c, example.com, 80, /a/c",
        "http://example.com/../../x, example.com, 80, /x",
        "http://example.com/a/%2e%2e/b, example.com, 80, /b",
        "http://example.com/{id}?q=\"x\", example.com, 80, /%7Bid%7D?q=%22x%22",
        "http://example.com/100%, example.com, 80, /100%",
        "http://my_host/, my_host, 80, /"
    })
    void readsHostPortAndTarget(String url, String host, int port, String target) {
        var address = WebAddress.parse(url);

        assertThat(address.host()).isEqualTo(host);
        assertThat(address.port()).isEqualTo(port);
        assertThat(address.target()).isEqualTo(target);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "example.com",
                "/x",
                "ftp://example.com",
                "file:///etc/passwd",
                "http:example.com",
                "http://",
                "http://@/",
                "http://:80/",
                "http://exa mple.com/",
                "http://example.com:0/",
                "http://example.com:65536/",
                "http://example.com:8a/",
                "http://example.com/\r\nX: y",
                "http://256.0.0.1/",
                "http://1.2.3.4.5/",
                "http://1.2.3.08/",
                "http://[::1",
                "http://[fe80::1%25eth0]/",
                "http://[127.0.0.1]/",
                "http://a..b/",
                "http://0x100000000/",
                "http://%zz/",
                "http://a/b\u0000"
            })
    void refusesWhatIsNoHttpUrl_withoutRepeatingIt(String url) {
        assertThatThrownBy(() -> WebAddress.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Invalid URL: ")
                .hasMessageNotContaining("passwd");
    }

    @ParameterizedTest
    @CsvSource({
        "https://other.example/x, https://other.example/x",
        "//other.example/x, http://other.example/x",
        "/x?y, http://example.com:81/x?y",
        "x, http://example.com:81/a/x",
        "../x, http://example.com:81/x",
        "?q=1, http://example.com:81/a/b?q=1",
        "#part, http://example.com:81/a/b?old=1",
        "\\\\other.example\\x, http://other.example/x"
    })
    void resolvesReferences(String reference, String expected) {
        var base = WebAddress.parse("http://user:secret@example.com:81/a/b?old=1");

        assertThat(base.resolve(reference).toString()).isEqualTo(expected);
    }

    @Test
    void refusesAReferenceToAnotherScheme() {
        var base = WebAddress.parse("http://example.com/");

        assertThatThrownBy(() -> base.resolve("file:///etc/passwd")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void addsQueryBehindTheOneThatIsThere() {
        assertThat(WebAddress.parse("http://a/x").withQuery("k=v").target()).isEqualTo("/x?k=v");
        assertThat(WebAddress.parse("http://a/x?b=1").withQuery("k=v").target()).isEqualTo("/x?b=1&k=v");
        assertThat(WebAddress.parse("http://a/x").withQuery("").target()).isEqualTo("/x");
    }

    @Test
    void showsNoUserInformation() {
        assertThat(WebAddress.parse("https://user:secret@example.com/x")).hasToString("https://example.com/x");
    }
}
