package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.WebAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses of an API: variables filled, relative addresses resolved. Checks of hosts happen when a request is sent. */
final class Servers {
    private static final Pattern VARIABLE = Pattern.compile("\\{([^{}]{1,100})}");

    /** Listed servers of a document. */
    private static final int LISTED_MAX = 50;

    private static final int DESCRIPTION_MAX = 200;

    private final ConversionOptions options;
    private final JsonNode servers;
    private final String common;

    /** Fails with {@link UnusableDocument} when the document has no usable server. */
    Servers(JsonNode document, ConversionOptions options) {
        this.options = options;
        this.servers = document.path("servers");
        this.common = options.baseUrl()
                .map(url -> absolute(url, "baseUrl"))
                .or(() -> first(servers))
                .or(() -> options.documentUrl().map(url -> absolute(resolved(url, "/"), "the document's address")))
                .orElseThrow(
                        () -> new UnusableDocument(
                                "expected a server with an absolute address, found none: give baseUrl, for example https://api.example.com"));
    }

    /** Address of the API. */
    String common() {
        return common;
    }

    /** Servers of the document that have an address, each once; at most {@value #LISTED_MAX}. */
    List<Listed> listed() {
        var listed = new LinkedHashMap<String, Listed>();
        for (var server : servers) {
            if (listed.size() >= LISTED_MAX) {
                break;
            }
            usableAddress(server)
                    .ifPresent(url -> listed.putIfAbsent(
                            url,
                            new Listed(
                                    url,
                                    Texts.shortened(server.path("description").asText(""), DESCRIPTION_MAX))));
        }
        return List.copyOf(listed.values());
    }

    /** The first server is checked where it is used; another one without a valid address cannot be chosen. */
    private Optional<String> usableAddress(JsonNode server) {
        try {
            return address(server);
        } catch (UnusableDocument unusable) {
            return Optional.empty();
        }
    }

    /** A server that can be chosen. */
    record Listed(String url, String description) {
        ObjectNode toJson() {
            return Json.object().put("url", url).put("description", description);
        }
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

    private Optional<String> first(JsonNode given) {
        return address(given.path(0));
    }

    private Optional<String> address(JsonNode server) {
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
