package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Maps security schemes to connections. One scheme is a secret text, basic credentials or OAuth2; several of them become one
 * connection with custom fields, because a connection has one type. OAuth2 stays an alternative to these.
 */
final class AuthMapper {
    private final DocumentReferences references;
    private final JsonNode schemes;
    private final List<Gap> gaps;

    AuthMapper(DocumentReferences references, JsonNode schemes, List<Gap> gaps) {
        this.references = references;
        this.schemes = schemes;
        this.gaps = gaps;
    }

    /**
     * Authentication of a piece.
     *
     * @param definition as the metadata of pieces has it; empty for none
     * @param schemes the used schemes by name: {@code {kind, in?, name?}}
     * @param places field of the connection for each scheme: {@code {SECRET_TEXT: scheme, CUSTOM_AUTH: [schemes], …}}
     */
    record PieceAuthentication(Optional<JsonNode> definition, ObjectNode schemes, ObjectNode places) {}

    /** Alternatives of an operation, each a list of schemes that apply together; an empty list permits no credentials. */
    ArrayNode alternatives(JsonNode security, Set<String> used) {
        var all = Json.array();
        for (var requirement : security) {
            var names = Json.array();
            var isKnown = true;
            for (var entry : requirement.properties()) {
                isKnown &= kindOf(entry.getKey()).isPresent();
                names.add(entry.getKey());
            }
            if (isKnown) {
                names.forEach(name -> used.add(name.asText()));
                all.add(names);
            }
        }
        return all;
    }

    private Optional<String> kindOf(String name) {
        var scheme = references.resolve(schemes.path(name));
        return switch (scheme.path("type").asText()) {
            case "apiKey" ->
                List.of("header", "query", "cookie").contains(scheme.path("in").asText())
                                && !scheme.path("name").asText().isEmpty()
                        ? Optional.of("apiKey")
                        : gap(name, "expected a key in header, query or cookie with a name");
            case "http" ->
                switch (scheme.path("scheme").asText().toLowerCase(Locale.ROOT)) {
                    case "basic" -> Optional.of("basic");
                    case "bearer" -> Optional.of("bearer");
                    default ->
                        gap(name, "HTTP authentication " + scheme.path("scheme").asText() + " is not supported");
                };
            case "oauth2" ->
                flowOf(scheme).isPresent()
                        ? Optional.of("oauth2")
                        : gap(name, "of OAuth2, only authorizationCode and clientCredentials are supported");
            case "openIdConnect" -> {
                addGap(name, "OpenID Connect discovery is not supported: the connection takes an access token");
                yield Optional.of("bearer");
            }
            default -> gap(name, "the type " + scheme.path("type").asText("of the scheme") + " is not supported");
        };
    }

    private Optional<String> gap(String name, String message) {
        addGap(name, message);
        return Optional.empty();
    }

    private void addGap(String name, String message) {
        var gap = new Gap("security scheme " + name, message);
        if (!gaps.contains(gap)) {
            gaps.add(gap);
        }
    }

    private static Optional<String> flowOf(JsonNode scheme) {
        for (var flow : List.of("authorizationCode", "clientCredentials")) {
            if (scheme.path("flows").path(flow).path("tokenUrl").asText("").startsWith("http")) {
                return Optional.of(flow);
            }
        }
        return Optional.empty();
    }

    /**
     * Authentication of the piece.
     *
     * @param combined all alternatives of all operations
     * @param address properties for the address of the API, which each connection has; may be empty
     */
    PieceAuthentication mapped(Set<String> used, List<JsonNode> combined, ObjectNode address) {
        var kinds = new LinkedHashMap<String, String>();
        used.forEach(name -> kindOf(name).ifPresent(kind -> kinds.put(name, kind)));
        var written = Json.object();
        kinds.forEach((name, kind) -> {
            var scheme = references.resolve(schemes.path(name));
            var entry = written.putObject(name).put("kind", kind);
            if (kind.equals("apiKey")) {
                entry.put("in", scheme.path("in").asText())
                        .put("name", scheme.path("name").asText());
            }
        });
        var oauth = kinds.entrySet().stream()
                .filter(entry -> entry.getValue().equals("oauth2"))
                .map(Map.Entry::getKey)
                .toList();
        oauth.stream()
                .skip(1)
                .forEach(name -> addGap(name, "a piece has one OAuth2 scheme, which is " + oauth.getFirst()));
        var others = new LinkedHashSet<>(kinds.keySet());
        others.removeAll(oauth);
        return mapped(kinds, oauth.stream().findFirst(), others, written, combined, address);
    }

    private PieceAuthentication mapped(
            Map<String, String> kinds,
            Optional<String> oauth,
            Set<String> others,
            ObjectNode written,
            List<JsonNode> combined,
            ObjectNode address) {
        var definitions = new ArrayList<JsonNode>();
        var places = Json.object();
        oauth.ifPresent(name -> {
            var together = with(name, others, combined);
            var definition = oauth2(name, together);
            if (!address.isEmpty()) {
                definition.withObjectProperty("props").setAll(address);
            }
            definitions.add(definition);
            places.put("OAUTH2", name);
        });
        var apart = others.stream()
                .filter(name -> oauth.isEmpty() || isUsedWithout(name, oauth.get(), combined))
                .toList();
        var isAddressOnly = apart.isEmpty() && oauth.isEmpty() && !address.isEmpty();
        if (apart.size() == 1 && address.isEmpty()) {
            var name = apart.getFirst();
            var isBasic = "basic".equals(kinds.get(name));
            definitions.add(isBasic ? basic(name) : secret(name));
            places.put(isBasic ? "BASIC_AUTH" : "SECRET_TEXT", name);
        } else if (!apart.isEmpty() || isAddressOnly) {
            var definition = custom(apart, kinds, combined);
            definition.withObjectProperty("props").setAll(address);
            definitions.add(definition);
        }
        if (definitions.isEmpty()) {
            return new PieceAuthentication(Optional.empty(), written, places);
        }
        var definition =
                definitions.size() == 1 ? definitions.getFirst() : Json.mapper().<ArrayNode>valueToTree(definitions);
        return new PieceAuthentication(Optional.of(definition), written, places);
    }

    /** Schemes that some operation needs together with OAuth2. */
    private static Set<String> with(String oauth, Set<String> others, List<JsonNode> combined) {
        var together = new LinkedHashSet<String>();
        combined.stream()
                .filter(one -> has(one, oauth))
                .forEach(one -> one.forEach(name -> {
                    if (others.contains(name.asText())) {
                        together.add(name.asText());
                    }
                }));
        return together;
    }

    private static boolean isUsedWithout(String name, String oauth, List<JsonNode> combined) {
        return combined.stream().anyMatch(one -> has(one, name) && !has(one, oauth));
    }

    private static boolean has(JsonNode names, String name) {
        return names.valueStream().anyMatch(one -> one.asText().equals(name));
    }

    private ObjectNode described(String type, String name) {
        var text = references.resolve(schemes.path(name)).path("description").asText("");
        return Json.object()
                .put("type", type)
                .put("displayName", PropertyMapper.label(name, ""))
                .put("description", Texts.shortened(text, 500))
                .put("required", true);
    }

    private ObjectNode secret(String name) {
        return described("SECRET_TEXT", name);
    }

    private ObjectNode basic(String name) {
        var basic = described("BASIC_AUTH", name);
        basic.putObject("username").put("displayName", "Username").put("required", true);
        basic.putObject("password").put("displayName", "Password").put("required", true);
        return basic;
    }

    private ObjectNode oauth2(String name, Set<String> together) {
        var scheme = references.resolve(schemes.path(name));
        var kind = flowOf(scheme).orElseThrow();
        var flow = scheme.path("flows").path(kind);
        var auth = described("OAUTH2", name)
                .put("authUrl", flow.path("authorizationUrl").asText(""))
                .put("tokenUrl", flow.path("tokenUrl").asText())
                .put("grantType", kind.equals("clientCredentials") ? "client_credentials" : "authorization_code");
        var scopes = auth.putArray("scope");
        flow.path("scopes").properties().forEach(scope -> scopes.add(scope.getKey()));
        if (!together.isEmpty()) {
            var props = auth.putObject("props");
            together.forEach(other -> fields(other, kindOf(other).orElse("bearer"), true, props));
        }
        return auth;
    }

    /** A field is required when every alternative without OAuth2 needs it. */
    private ObjectNode custom(List<String> names, Map<String, String> kinds, List<JsonNode> combined) {
        var auth = Json.object()
                .put("type", "CUSTOM_AUTH")
                .put("displayName", "Credentials")
                .put("required", true);
        var needed = combined.stream().filter(one -> one.size() > 0).toList();
        var props = auth.putObject("props");
        names.forEach(name -> fields(name, kinds.get(name), needed.stream().allMatch(one -> has(one, name)), props));
        if (names.size() > 1) {
            auth.put("description", "Fill in the fields of the ways to sign in that the API accepts for you.");
        }
        return auth;
    }

    private void fields(String name, String kind, boolean required, ObjectNode props) {
        var label = PropertyMapper.label(name, "");
        if (kind.equals("basic")) {
            props.putObject(name + "_username")
                    .put("type", "SHORT_TEXT")
                    .put("displayName", label + " username")
                    .put("required", required);
            props.putObject(name + "_password")
                    .put("type", "SECRET_TEXT")
                    .put("displayName", label + " password")
                    .put("required", required);
        } else {
            props.putObject(name)
                    .put("type", "SECRET_TEXT")
                    .put("displayName", label)
                    .put("required", required);
        }
    }
}
