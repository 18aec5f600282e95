package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.WebAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Addresses of an API: variables filled, relative addresses resolved. Checks of hosts happen when a request is sent. */
final class Servers {
    private static final int LISTED_MAX = 50;

    private static final int DESCRIPTION_MAX = 200;

    private final ConversionOptions options;
    private final ServerVariables variables;
    private final JsonNode servers;
    private final List<JsonNode> all;
    private final Choice common;

    /** Fails with {@link UnusableDocument} when the document has no usable server. */
    Servers(JsonNode document, ConversionOptions options) {
        this.options = options;
        this.variables = new ServerVariables(options.serverVariables(), options.connectionVariables());
        this.servers = document.path("servers");
        this.all = all(document);
        variables.refuseUnknown(all, options.baseUrl().orElse(""));
        this.common = options.baseUrl()
                .map(this::choice)
                .or(() -> Optional.of(servers.path(0))
                        .filter(server -> !urlOf(server).isBlank())
                        .flatMap(this::choice))
                .or(() -> options.documentUrl()
                        .map(url ->
                                new Choice(absolute(resolved(url, "/"), "the document's address"), Optional.empty())))
                .orElseThrow(
                        () -> new UnusableDocument(
                                "expected a server with an absolute address, found none: give baseUrl, for example https://api.example.com"));
    }

    /**
     * The server of operations without one of their own.
     *
     * @param missing the variable without a value, for which the address is that of the document; empty for a complete address
     */
    private record Choice(String url, Optional<UnusableDocument> missing) {}

    private static List<JsonNode> all(JsonNode document) {
        return Stream.concat(
                        Stream.of(document),
                        Stream.concat(
                                        document.path("paths").valueStream(),
                                        document.path("components")
                                                .path("pathItems")
                                                .valueStream())
                                .flatMap(item -> Stream.concat(Stream.of(item), item.valueStream())))
                .flatMap(holder -> holder.path("servers").valueStream())
                .toList();
    }

    private static String urlOf(JsonNode server) {
        return server.path("url").asText("");
    }

    private Choice choice(String baseUrl) {
        return servers.valueStream()
                .filter(server -> urlOf(server).equals(baseUrl))
                .findFirst()
                .flatMap(this::choice)
                .orElseGet(() -> new Choice(other(baseUrl), Optional.empty()));
    }

    private String other(String baseUrl) {
        var filled = variables.filled(baseUrl, MissingNode.getInstance());
        return isOfConnections(Json.object().put("url", baseUrl))
                ? checked(new AddressTemplate(filled))
                : absolute(filled, "baseUrl");
    }

    private Optional<Choice> choice(JsonNode server) {
        if (variables.of(server).stream()
                .anyMatch(
                        variable -> !variable.byConnection() && variable.value().isEmpty())) {
            try {
                variables.filled(urlOf(server), server);
            } catch (UnusableDocument missing) {
                return Optional.of(new Choice(urlOf(server), Optional.of(missing)));
            }
        }
        return address(server).map(url -> new Choice(url, Optional.empty()));
    }

    String common() {
        return common.url();
    }

    /** Fails with {@link UnusableDocument} when the address of the API needs the value of a variable. */
    void requireValues() {
        common.missing().ifPresent(missing -> {
            throw missing;
        });
    }

    List<ServerVariables.AddressVariable> ofConnections(List<String> addresses) {
        var used = addresses.stream()
                .flatMap(address -> new AddressTemplate(address).names().stream())
                .toList();
        var chosen = options.baseUrl().orElse("");
        var first = all.stream().filter(server -> urlOf(server).equals(chosen));
        var own = Stream.of((JsonNode) Json.object().put("url", chosen));
        return variables
                .ofConnections(Stream.of(first, all.stream(), own)
                        .flatMap(each -> each)
                        .toList())
                .stream()
                .filter(variable -> used.contains(variable.name()))
                .toList();
    }

    /** Servers of the document that have an address, each once; at most {@value #LISTED_MAX}. */
    List<ServerEntry> listed() {
        var listed = new LinkedHashMap<String, ServerEntry>();
        for (var server : servers) {
            if (listed.size() >= LISTED_MAX) {
                break;
            }
            usableAddress(server)
                    .ifPresent(url -> listed.putIfAbsent(
                            url,
                            new ServerEntry(
                                    url,
                                    urlOf(server),
                                    Texts.shortened(server.path("description").asText(""), DESCRIPTION_MAX),
                                    variables.of(server))));
        }
        return List.copyOf(listed.values());
    }

    /** The first server is checked where it is used; another one without a valid address cannot be chosen. */
    private Optional<String> usableAddress(JsonNode server) {
        try {
            return choice(server).map(Choice::url).filter(url -> !url.isBlank());
        } catch (UnusableDocument unusable) {
            return Optional.empty();
        }
    }

    /**
     * A server that can be chosen.
     *
     * @param url address with the values of its variables
     * @param template address in the document
     */
    record ServerEntry(
            String url, String template, String description, List<ServerVariables.AddressVariable> variables) {
        ObjectNode toJson() {
            var json = Json.object().put("url", url).put("template", template).put("description", description);
            var list = json.putArray("variables");
            variables.forEach(variable -> list.add(variable.toJson()));
            return json;
        }
    }

    String of(JsonNode pathItem, JsonNode operation) {
        if (options.baseUrl().isPresent()) {
            return common();
        }
        return first(operation.path("servers"))
                .or(() -> first(pathItem.path("servers")))
                .orElseGet(this::common);
    }

    private Optional<String> first(JsonNode given) {
        return address(given.path(0));
    }

    private Optional<String> address(JsonNode server) {
        var url = urlOf(server);
        if (url.isBlank()) {
            return Optional.empty();
        }
        var filled = variables.filled(url, server);
        if (isOfConnections(server)) {
            return template(filled);
        }
        if (filled.startsWith("http://") || filled.startsWith("https://")) {
            return Optional.of(absolute(filled, "the server of the document"));
        }
        return options.documentUrl().map(from -> absolute(resolved(from, filled), "the server of the document"));
    }

    private boolean isOfConnections(JsonNode server) {
        return variables.of(server).stream().anyMatch(ServerVariables.AddressVariable::byConnection);
    }

    private Optional<String> template(String filled) {
        if (!filled.startsWith("/")) {
            return Optional.of(checked(new AddressTemplate(filled)));
        }
        return options.documentUrl()
                .map(from -> checked(new AddressTemplate(WebAddress.parse(from).origin() + filled)));
    }

    private static String checked(AddressTemplate template) {
        try {
            template.check();
            return template.toString();
        } catch (IllegalArgumentException malformed) {
            throw new UnusableDocument("expected an http or https address in a server with variables of connections: "
                    + malformed.getMessage());
        }
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
