package io.millrace.workspace.authorizationserver;

import io.millrace.base.core.Fields;
import io.millrace.base.http.Input;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a client says about itself when it registers (contract admin-api 33.2). */
record Registration(
        List<String> redirectUris,
        Optional<String> name,
        List<String> grantTypes,
        ClientAuthentication authentication) {
    private static final List<String> GRANT_TYPES_DEFAULT = List.of("authorization_code", "refresh_token");
    private static final Set<String> WEB_SCHEMES = Set.of("http", "https");
    private static final Set<String> APPLICATION_SCHEMES =
            Set.of("cursor", "vscode", "vscode-insiders", "windsurf", "claude");
    private static final Pattern LOOPBACK =
            Pattern.compile("(?i)localhost|127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|\\[::1]");
    private static final int REDIRECT_URIS_MAX = 32;
    private static final int REDIRECT_URI_LENGTH_MAX = 2048;
    private static final int NAME_LENGTH_MAX = 255;
    private static final int TYPES_MAX = 16;
    private static final int TYPE_LENGTH_MAX = 64;

    Registration {
        redirectUris = List.copyOf(redirectUris);
        grantTypes = List.copyOf(grantTypes);
    }

    static Registration read(Input input) {
        var body = input.body().orNull();
        types(body, "response_types");
        return new Registration(
                redirectUris(body),
                name(body),
                types(body, "grant_types").orElse(GRANT_TYPES_DEFAULT),
                authentication(body));
    }

    private static List<String> redirectUris(Fields body) {
        var field = "redirect_uris";
        if (!body.raw(field).isArray()) {
            body.array(field);
            return List.of();
        }
        if (body.raw(field).isEmpty()) {
            body.refuse(field, "Too small: expected array to have >=1 items");
        }
        var uris = body.texts(field);
        checkCount(body, field, uris, REDIRECT_URIS_MAX);
        for (var index = 0; index < uris.size(); index++) {
            var place = field + "/" + index;
            problemOf(uris.get(index)).ifPresent(problem -> body.refuse(place, problem));
        }
        return uris;
    }

    /** A fragment is refused as well: the code would be put behind it, where the client never sees it. */
    private static Optional<String> problemOf(String uri) {
        if (uri.length() > REDIRECT_URI_LENGTH_MAX) {
            return Optional.of("Too big: expected string to have <=" + REDIRECT_URI_LENGTH_MAX + " characters");
        }
        try {
            var parsed = new URI(uri);
            return isAllowed(parsed) ? Optional.empty() : Optional.of("Invalid URL: scheme or form is not allowed");
        } catch (URISyntaxException malformed) {
            return Optional.of("Invalid URL");
        }
    }

    /** Whether a code may be sent there, which an earlier release may have judged otherwise. */
    static boolean mayTakeCode(String uri) {
        return problemOf(uri).isEmpty();
    }

    /** What goes to another host unencrypted is read, and used, by whoever stands between (RFC 8252 7.3, 8.3). */
    private static boolean isLoopback(String host) {
        return host != null && LOOPBACK.matcher(host).matches();
    }

    private static boolean isAllowed(URI uri) {
        if (uri.getScheme() == null || uri.getRawFragment() != null) {
            return false;
        }
        var scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        return WEB_SCHEMES.contains(scheme)
                ? uri.getRawAuthority() != null && (scheme.equals("https") || isLoopback(uri.getHost()))
                : scheme.contains(".") || APPLICATION_SCHEMES.contains(scheme);
    }

    private static Optional<String> name(Fields body) {
        var name = body.optionalText("client_name");
        name.filter(text -> text.length() > NAME_LENGTH_MAX)
                .ifPresent(_ -> body.refuse(
                        "client_name", "Too big: expected string to have <=" + NAME_LENGTH_MAX + " characters"));
        return name;
    }

    private static Optional<List<String>> types(Fields body, String field) {
        var types = body.optionalTexts(field);
        types.ifPresent(texts -> {
            checkCount(body, field, texts, TYPES_MAX);
            if (texts.stream().anyMatch(text -> text.length() > TYPE_LENGTH_MAX)) {
                body.refuse(field, "Too big: expected string to have <=" + TYPE_LENGTH_MAX + " characters");
            }
        });
        return types;
    }

    private static void checkCount(Fields body, String field, List<String> texts, int max) {
        if (texts.size() > max) {
            body.refuse(field, "Too big: expected array to have <=" + max + " items");
        }
    }

    private static ClientAuthentication authentication(Fields body) {
        var field = "token_endpoint_auth_method";
        var word = body.optionalText(field).orElse(ClientAuthentication.CLIENT_SECRET_BASIC.word());
        return ClientAuthentication.of(word).orElseGet(() -> {
            body.refuse(
                    field,
                    ClientAuthentication.words().stream()
                            .map(known -> '"' + known + '"')
                            .collect(Collectors.joining("|", "Invalid option: expected one of ", "")));
            return ClientAuthentication.NONE;
        });
    }
}
