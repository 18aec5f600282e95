package io.millrace.piece.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceFailure;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Server addresses with variables whose values are in the connections. */
class ConnectionAddressTest {
    private static ObjectNode metadata(String server, String... variables) {
        var text = Documents.text("16-server-variables.yaml").replaceFirst("servers: .*", "servers: [" + server + "]");
        var options = new ConversionOptions(
                Set.of("a"), Optional.empty(), Optional.empty(), Optional.empty(), Map.of(), Set.of(variables), 10, 10);
        return DocumentConverter.convert(text, Documents.BYTES_MAX, options).metadata();
    }

    private static String filled(ObjectNode metadata, String values) {
        var props = Json.object();
        for (var pair : values.split(" ")) {
            var parts = pair.split("=", 2);
            props.put(parts[0], parts[1]);
        }
        var stored = metadata.path(DocumentConverter.PLANS);
        return ConnectionAddress.of(
                stored.at("/actions/a/server").asText(),
                stored,
                Optional.of(Json.object().set("props", props)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            https://{x}.example.com           | x=acme                | https://acme.example.com
            https://{x}.example.com/          | x=acme--dev.sandbox   | https://acme--dev.sandbox.example.com
            https://{x}-api.example.com/v1    | x=acme                | https://acme-api.example.com/v1
            https://{x}.{y}.com               | x=acme y=shop         | https://acme.shop.com
            https://{x}/api/v3                | x=git.acme.org:8443   | https://git.acme.org:8443/api/v3
            {x}://{y}/api                     | x=http y=10.0.0.1     | http://10.0.0.1/api
            https://api.example.{x}           | x=ch                  | https://api.example.ch
            https://example.com:{x}/{y}       | x=8443 y=v1/eu        | https://example.com:8443/v1/eu
            {x}/api                           | x=https://a.org/base  | https://a.org/base/api
            https://example.com/{x}?q={y}#f   | x=v2                  | https://example.com/v2
            """)
    void fillsTheAddress(String server, String values, String expected) {
        assertThat(filled(metadata("{url: '" + server + "'}", variablesOf(server)), values))
                .isEqualTo(expected);
    }

    private static String[] variablesOf(String server) {
        return server.contains("{y}") ? new String[] {"x", "y"} : new String[] {"x"};
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.org/",
                "evil.org#",
                "evil.org?",
                "evil.org\\",
                "a@evil.org",
                "evil.org:80/",
                "evil.org%2f",
                "%00",
                "a..b",
                ".a",
                "a.",
                "-a",
                "a b",
                "evil.org;",
                "ａ",
                "ünder",
                "[::1]",
                "{x}",
                "a\tb",
                "127.0.0.1:1"
            })
    void keepsTheEndOfTheHost(String value) {
        var metadata = metadata("{url: 'https://{x}.example.com'}", "x");
        var stored = metadata.path(DocumentConverter.PLANS);
        var auth = Json.object();
        auth.putObject("props").put("x", value);

        assertThatThrownBy(() -> ConnectionAddress.of("https://{x}.example.com", stored, Optional.of(auth)))
                .isInstanceOf(PieceFailure.class)
                .hasMessageStartingWith(
                        "Expected letters, digits and hyphens in the field x of the connection, found ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            https://{x}                      | acme.org/x  | Expected a host such as api.example.com in the field x of the connection, found acme.org/x
            https://{x}                      | a@acme.org  | Expected a host such as api.example.com in the field x of the connection, found a@acme.org
            https://api.example.{x}          | co.evil.org | Expected letters, digits and hyphens without a dot in the field x of the connection, found co.evil.org
            https://example.com:{x}          | 1@a.org     | Expected a port in the field x of the connection, found 1@a.org
            https://example.com:{x}          | 99999       | Expected values of the connection that give a valid address of https://example.com:{x}: Invalid URL: its port is not a number from 1 to 65535
            https://example.com/{x}          | ../admin    | Expected letters, digits, hyphens and slashes in the field x of the connection, found ../admin
            https://example.com/{x}          | a/./b       | Expected letters, digits, hyphens and slashes in the field x of the connection, found a/./b
            {x}/api                          | ftp://a.org | Expected an address such as https://api.example.com in the field x of the connection, found ftp://a.org
            https://{x}.example.com          | ''          | Expected the field x of the connection for the address of the API, found none
            """)
    void refusesValues_thatLeaveTheirPlace(String server, String value, String message) {
        var metadata = metadata("{url: '" + server + "'}", "x");

        assertThatThrownBy(() -> filled(metadata, "x=" + value)).hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            eu.example.org | https://api.eu.example.org
            us.example.org | https://api.us.example.org
            evil.org       | -
            """)
    void permitsTheChoicesOfTheDocument(String value, String expected) {
        var metadata = metadata(
                "{url: 'https://api.{x}', variables: {x: {default: eu.example.org, enum: [eu.example.org, us.example.org]}}}",
                "x");

        if (expected.equals("-")) {
            assertThatThrownBy(() -> filled(metadata, "x=" + value))
                    .hasMessage(
                            "Expected one of eu.example.org, us.example.org in the field x of the connection, found evil.org");
        } else {
            assertThat(filled(metadata, "x=" + value)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            https://u:{x}@example.com | expected an http or https address in a server with variables of connections: Expected no credentials in the address of a server
            ftp://{x}.example.com     | expected an http or https address in a server with variables of connections: Invalid URL: expected it to start with http:// or https://
            """)
    void refusesServers_thatNoValueMakesValid(String server, String message) {
        assertThatThrownBy(() -> metadata("{url: '" + server + "'}", "x"))
                .isInstanceOf(UnusableDocument.class)
                .hasMessage(message);
    }
}
