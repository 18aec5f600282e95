package io.millrace.workspace.authorizationserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Redirect URIs that may receive a code, and the comparison with the registered ones. */
final class RedirectUriTest {
    private static final int ROUNDS = 200_000;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://client.example",
                "https://client.example/callback?from=mill&x=%20",
                "https://client.example:8443/cb",
                "https://xn--mnchen-3ya.example/cb",
                "https://192.0.2.7/cb",
                "https://[2001:db8::1]:8443/cb",
                "HTTPS://client.example/cb",
                "http://localhost:6274/callback",
                "http://LOCALHOST/callback",
                "http://127.0.0.1:33418/",
                "http://127.8.9.255/",
                "http://[::1]:8000/callback",
                "cursor://anysphere.cursor-mcp/oauth/callback",
                "vscode://vscode.github-authentication/did-authenticate",
                "vscode-insiders://some.extension/cb",
                "windsurf://codeium.windsurf/cb",
                "claude://claude.ai/cb",
                "com.example.app:/callback",
                "com.example.app:callback"
            })
    void accepts(String uri) {
        assertThat(RedirectUri.problemOf(uri)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "/callback",
                "//client.example/cb",
                "client.example/cb",
                "https:",
                "https:///cb",
                "https://",
                "https:client.example/cb",
                "https:/client.example/cb",
                "https://user@client.example/cb",
                "https://user:pw@client.example/cb",
                "https://@client.example/cb",
                "https://:@client.example/cb",
                "https://trusted.example.com:443@evil.example.net/cb",
                "https://trusted.example.com%40evil.example.net/cb",
                "https://evil.example\\@trusted.example.com/cb",
                "https://evil.example\\.trusted.example.com/cb",
                "https:\\\\client.example/cb",
                "https://*.example.com/",
                "https://*/cb",
                "https://client.example/*",
                "https://client.example/cb?to=*",
                "https://client.example:*/cb",
                "https://client.example/cb#fragment",
                "https://client.example/cb#",
                "https://client%2eexample/cb",
                "https://%63lient.example/cb",
                "https://client.example%00.evil.example/cb",
                "https://client_under.example/cb",
                "https://client..example/cb",
                "https://-client.example/cb",
                "https://client.example:/cb",
                "https://client.example:0/cb",
                "https://client.example:65536/cb",
                "https://client.example:-1/cb",
                "https://client.example:443:443/cb",
                "https://cl\u00efent.example/cb",
                "https://client\u3002example/cb",
                "https://client.example/\u202ecb",
                "https://client.example/c b",
                "https://client.example/cb\r\nSet-Cookie: a=b",
                "https://client.example/\tcb",
                "https://client.example/\u0000",
                "https://client.example/\u007f",
                "\u0001https://client.example/",
                "https://client.example/%zz",
                "https://client.example/\"><script>",
                "http://client.example/cb",
                "http://localhost.client.example/cb",
                "http://localhost@client.example/cb",
                "http://localhost:80@client.example/cb",
                "http://127.0.0.1.client.example/",
                "http://127.0.0.256/",
                "http://127.1/",
                "http://0x7f.0.0.1/",
                "http://2130706433/",
                "http://0.0.0.0/",
                "http://10.0.0.1/callback",
                "http://169.254.169.254/latest",
                "http://[::ffff:127.0.0.1]/",
                "http://[::]/",
                "http://[::1%25lo]/",
                "http://[::1].client.example/",
                "javascript:alert(1)",
                "data:text/html;x",
                "file:///etc/passwd",
                "ftp://client.example/",
                "blob:https://client.example/1",
                "vscode://user:pw@ext/cb",
                "cursor://a@b/cb",
                "cursor://*/cb",
                "com.example.app://a%40b/cb",
                "vscodium://ext/cb",
                "myapp:/callback"
            })
    void refuses(String uri) {
        assertThat(RedirectUri.problemOf(uri)).isPresent();
    }

    @Test
    void refusesLongOnes() {
        assertThat(RedirectUri.problemOf("https://client.example/" + "a".repeat(2025)))
                .isEmpty();
        assertThat(RedirectUri.problemOf("https://client.example/" + "a".repeat(2026)))
                .isPresent();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            https://c.example/cb,          https://c.example/cb,             true
            https://c.example/cb,          https://c.example/cb/,            false
            https://c.example/cb,          https://c.example/CB,             false
            https://c.example/cb,          https://C.example/cb,             false
            https://c.example/cb,          https://c.example:443/cb,         false
            https://c.example/cb,          https://c.example/cb?x=1,         false
            https://c.example/cb,          https://c.example/x/../cb,        false
            https://c.example/cb,          https://c.example/c%62,           false
            https://c.example/cb,          http://c.example/cb,              false
            https://localhost:1/cb,        https://localhost:2/cb,           false
            http://localhost:1/cb,         http://localhost:2/cb,            true
            http://localhost/cb,           http://localhost:2/cb,            true
            http://127.0.0.1/cb,           http://127.0.0.1:65535/cb,        true
            http://127.0.0.1/cb?a=1,       http://127.0.0.1:7/cb?a=1,        true
            'http://[::1]/cb',             'http://[::1]:9/cb',              true
            http://127.0.0.1/cb,           http://localhost:2/cb,            false
            http://127.0.0.1/cb,           http://127.0.0.2/cb,              false
            http://127.0.0.1/cb,           'http://[::1]/cb',                false
            http://127.0.0.1/cb,           http://127.0.0.1:2/cb2,           false
            http://127.0.0.1/cb,           http://127.0.0.1:2/cb?a=1,        false
            http://127.0.0.1/cb,           http://127.0.0.1:2@evil.example/cb, false
            http://127.0.0.1/cb,           http://x@127.0.0.1/cb,            false
            http://127.0.0.1/cb,           https://127.0.0.1/cb,             false
            cursor://a.b/cb,               cursor://a.b:1/cb,                false
            http://localhost/cb,           http://localhost:0/cb,            false
            http://localhost/cb,           http://localhost:65536/cb,        false
            """)
    void comparesExactly_exceptForThePortOfALoopbackAddress(String registered, String requested, boolean matches) {
        assertThat(RedirectUri.matches(registered, requested)).isEqualTo(matches);
    }

    /**
     * Random combinations of the parts that attackers use: an accepted web address has one plain host, which is the
     * text up to the path.
     */
    @Test
    void acceptsOnlyOneReadingOfAHost() {
        var pieces = List.of(
                "http",
                "https",
                ":",
                "/",
                "//",
                "@",
                "\\",
                "%40",
                "%2f",
                "#",
                "?",
                "*",
                "localhost",
                "127.0.0.1",
                "[::1]",
                "good.example",
                "evil.example",
                ":443",
                "user",
                "..",
                ".",
                "\t",
                "\n",
                " ",
                "\u3002",
                "\u00e9",
                "%00",
                "cursor");
        var plain = Pattern.compile("https?://[a-z0-9.\\-:\\[\\]]+(?:[/?].*)?|(?!http)[a-z.]+:.*");
        var random = new Random(368);
        var accepted = 0;
        for (var round = 0; round < ROUNDS; round++) {
            var text = new StringBuilder(random.nextBoolean() ? "https://" : "http://localhost");
            for (var part = random.nextInt(6); part >= 0; part--) {
                text.append(pieces.get(random.nextInt(pieces.size())));
            }
            var uri = text.toString();
            if (RedirectUri.problemOf(uri).isEmpty()) {
                accepted++;
                assertThat(uri).matches(plain).doesNotContain("*", "\\", "#");
            }
        }
        assertThat(accepted).isGreaterThan(1_000);
    }
}
