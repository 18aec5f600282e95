package io.millrace.workspace.oauth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * OAuth provider of a piece, from the piece's metadata (contract pieces 2.3).
 *
 * @param choices values that the piece offers for its drop-down fields, by the name of the field
 * @param prompt null for the usual one
 * @param pkceMethod {@code plain} or {@code S256}; empty without PKCE
 */
public record OAuthProviderMetadata(
        String authUrl,
        String tokenUrl,
        List<String> scopes,
        Map<String, String> extra,
        Map<String, Set<String>> choices,
        String prompt,
        Optional<String> pkceMethod,
        ClientPlace clientPlace) {
    private static final String TYPE = "OAUTH2";
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([A-Za-z0-9_]{1,100})\\}");

    private static final Pattern HOST_OF_TEMPLATE = Pattern.compile("^[a-z]+://[^/?#]*", Pattern.CASE_INSENSITIVE);

    /** A domain of at least two labels at the end of a host, with the dot before it, and a port. */
    private static final Pattern FIXED_DOMAIN = Pattern.compile("[.][A-Za-z0-9-]+([.][A-Za-z0-9-]+)+(:[0-9]+)?$");

    private static final Pattern PART_OF_HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?");

    public static Optional<OAuthProviderMetadata> of(JsonNode auth) {
        if (auth == null) {
            return Optional.empty();
        }
        var definitions = auth.isArray() ? auth.valueStream().toList() : List.of(auth);
        return definitions.stream()
                .filter(definition -> definition.path("type").asText().equals(TYPE))
                .findFirst()
                .map(OAuthProviderMetadata::read);
    }

    private static OAuthProviderMetadata read(JsonNode definition) {
        var scopes = new ArrayList<String>();
        definition.path("scope").forEach(scope -> scopes.add(scope.asText()));
        var extra = new LinkedHashMap<String, String>();
        definition
                .path("extra")
                .properties()
                .forEach(entry -> extra.put(entry.getKey(), entry.getValue().asText()));
        return new OAuthProviderMetadata(
                definition.path("authUrl").asText(),
                definition.path("tokenUrl").asText(),
                List.copyOf(scopes),
                Map.copyOf(extra),
                choices(definition.path("props")),
                definition.path("prompt").textValue(),
                Optional.of(definition.path("pkceMethod").asText("plain"))
                        .filter(_ -> definition.path("pkce").asBoolean(false)),
                definition.path("authorizationMethod").asText().equals(ClientPlace.HEADER.name())
                        ? ClientPlace.HEADER
                        : ClientPlace.BODY);
    }

    private static Map<String, Set<String>> choices(JsonNode props) {
        var choices = new LinkedHashMap<String, Set<String>>();
        props.properties().forEach(entry -> {
            if (entry.getValue().path("type").asText().equals("STATIC_DROPDOWN")) {
                choices.put(
                        entry.getKey(),
                        entry.getValue()
                                .at("/options/options")
                                .valueStream()
                                .map(option -> option.path("value").asText())
                                .collect(Collectors.toUnmodifiableSet()));
            }
        });
        return Map.copyOf(choices);
    }

    /**
     * The provider with its address for tokens filled, for a client of the platform: members choose the fields of a connection and must
     * not learn the secret of this client. A field in the host of the address is one of the choices of the piece, or a fixed domain
     * follows it.
     *
     * @throws OAuthFailure for a value that could send the secret to another host; the message names the field
     */
    public OAuthProviderMetadata withPlatformClient(Optional<ObjectNode> props) {
        var host = HOST_OF_TEMPLATE.matcher(tokenUrl);
        // Without a fixed scheme, a field may be the whole address.
        var hasScheme = host.find();
        var origin = hasScheme ? host.group() : tokenUrl;
        var isFixed = hasScheme && FIXED_DOMAIN.matcher(origin).find();
        var fields = PLACEHOLDER.matcher(origin);
        while (!isFixed && fields.find()) {
            var name = fields.group(1);
            var value = props.map(values -> values.path(name).asText()).orElse("");
            if (!choices.getOrDefault(name, Set.of()).contains(value)) {
                throw new OAuthFailure(
                        OAuthFailure.Kind.REFUSED,
                        "the field " + name
                                + " must be one of the choices of the piece, because it selects the host that receives the"
                                + " client secret of the platform: " + tokenUrl);
            }
        }
        try {
            return new OAuthProviderMetadata(
                    authUrl, filledUrl(tokenUrl, props), scopes, extra, choices, prompt, pkceMethod, clientPlace);
        } catch (IllegalArgumentException foreign) {
            throw new OAuthFailure(OAuthFailure.Kind.REFUSED, foreign.getMessage());
        }
    }

    /**
     * A URL of the provider with placeholders filled from the fields of the connection. A value inside the host is part of a host
     * name, so that the text behind its placeholder stays the end of the host: the secret of the client is sent there. A placeholder
     * in place of the whole address, or at the end of the host, leaves the host to the connection.
     *
     * @throws IllegalArgumentException for a value that does not fit into a host; the message names the field
     */
    static String filledUrl(String url, Optional<ObjectNode> props) {
        var matcher = PLACEHOLDER.matcher(url);
        var host = HOST_OF_TEMPLATE.matcher(url);
        var hostEnd = host.find() ? host.end() : 0;
        while (props.isPresent() && matcher.find() && matcher.start() < hostEnd) {
            var value = props.get().path(matcher.group(1));
            if (value.isValueNode()
                    && !value.isNull()
                    && !PART_OF_HOST.matcher(value.asText()).matches()) {
                throw new IllegalArgumentException(
                        "the field " + matcher.group(1) + " must be part of a host name, as in " + url);
            }
        }
        return filled(url, props);
    }

    static String filled(String text, Optional<ObjectNode> props) {
        return props.map(values -> PLACEHOLDER.matcher(text).replaceAll(match -> {
                    var value = values.path(match.group(1));
                    return java.util.regex.Matcher.quoteReplacement(
                            value.isValueNode() && !value.isNull() ? value.asText() : match.group());
                }))
                .orElse(text);
    }
}
