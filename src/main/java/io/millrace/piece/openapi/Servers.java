package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.net.WebAddress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses of an API: variables filled, relative addresses resolved. Checks of hosts happen when a request is sent. */
final class Servers {
    private static final Pattern VARIABLE = Pattern.compile("\\{([^{}]{1,100})}");

    private final ConversionOptions options;
    private final String common;

    /** Fails with {@link UnusableDocument} when the document has no usable server. */
    Servers(JsonNode document, ConversionOptions options) {
        this.options = options;
        this.common = options.baseUrl()
                .map(url -> absolute(url, "baseUrl"))
                .or(() -> first(document.path("servers")))
                .or(() -> options.documentUrl().map(url -> absolute(resolved(url, "/"), "the document's address")))
                .orElseThrow(
                        () -> new UnusableDocument(
                                "expected a server with an absolute address, found none: give baseUrl, for example https://api.example.com"));
    }

    /** Address of the API. */
    String common() {
        return common;
    }

    /** Address of an operation, which may have servers of its own. A given base address has precedence. */
    String of(JsonNode pathItem, JsonNode operation) {
        if (options.baseUrl().isPresent()) {
            return common;
        }
        return first(operation.path("servers"))
                .or(() -> first(pathItem.path("servers")))
                .orElse(common);
    }

    private Optional<String> first(JsonNode servers) {
        var server = servers.path(0);
        var url = server.path("url").asText("");
        if (url.isBlank()) {
            return Optional.empty();
        }
        var filled = VARIABLE.matcher(url).replaceAll(match -> {
            var name = match.group(1);
            var value = options.serverVariables()
                    .getOrDefault(
                            name,
                            server.path("variables").path(name).path("default").asText(""));
            return Matcher.quoteReplacement(value);
        });
        if (filled.startsWith("http://") || filled.startsWith("https://")) {
            return Optional.of(absolute(filled, "the server of the document"));
        }
        return options.documentUrl().map(from -> absolute(resolved(from, filled), "the server of the document"));
    }

    private static String resolved(String documentUrl, String reference) {
        try {
            return WebAddress.parse(documentUrl).resolve(reference).toString();
        } catch (IllegalArgumentException malformed) {
            throw new UnusableDocument("the server of the document has no valid address: give baseUrl");
        }
    }

    private static String absolute(String url, String what) {
        try {
            var address = WebAddress.parse(url);
            if (address.userInfo().isPresent()) {
                throw new UnusableDocument("expected no credentials in " + what + ": they belong to a connection");
            }
            var text = address.toString().split("[?#]", 2)[0];
            return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        } catch (IllegalArgumentException malformed) {
            throw new UnusableDocument("expected an http or https address in " + what + ": give baseUrl");
        }
    }
}
