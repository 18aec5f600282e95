package io.millrace.workspace.authorizationserver;

import io.millrace.base.core.input.Fields;
import io.millrace.base.http.Input;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Metadata of a client in its registration request (contract admin-api 33.2). */
record Registration(
        List<String> redirectUris,
        Optional<String> name,
        List<String> grantTypes,
        ClientAuthentication authentication) {
    private static final List<String> GRANT_TYPES_DEFAULT = List.of("authorization_code", "refresh_token");
    private static final int REDIRECT_URIS_MAX = 32;
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
            RedirectUri.problemOf(uris.get(index)).ifPresent(problem -> body.refuse(place, problem));
        }
        return uris;
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
