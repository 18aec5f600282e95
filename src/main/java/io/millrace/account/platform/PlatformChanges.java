package io.millrace.account.platform;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.platform.Platform.FilterBehavior;
import io.millrace.account.platform.Platform.Looks;
import io.millrace.account.platform.Platform.PieceChoice;
import io.millrace.account.platform.Platform.SignInRules;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.core.input.Fields;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Requested changes of a platform; empty or kept properties stay unchanged (contract admin-api 18.2). */
public record PlatformChanges(
        Optional<String> name,
        Optional<String> primaryColor,
        FieldChange<JsonNode> themeColors,
        Optional<List<String>> filteredPieceNames,
        Optional<FilterBehavior> filteredPieceBehavior,
        Optional<Boolean> cloudAuthEnabled,
        Optional<Boolean> googleAuthEnabled,
        Optional<Boolean> emailAuthEnabled,
        Optional<Boolean> enforceAllowedAuthDomains,
        Optional<List<String>> allowedAuthDomains,
        Optional<List<String>> pinnedPieces,
        FieldChange<JsonNode> pieceSelectorConfig,
        Optional<List<String>> allowedEmbedOrigins,
        FieldChange<String> ssoDomain,
        FieldChange<ObjectNode> samlProvider,
        FieldChange<ObjectNode> oidcProvider,
        Pictures pictures) {
    /** Fields that are texts; in a form, all others are JSON text. */
    static final Set<String> TEXTS = Set.of("name", "primaryColor", "filteredPieceBehavior", "ssoDomain");

    /** New images; empty ones stay unchanged. */
    record Pictures(Optional<Picture> logoIcon, Optional<Picture> fullLogo, Optional<Picture> favIcon) {
        static Pictures read(Fields body) {
            return new Pictures(
                    Picture.read(body, "logoIcon"), Picture.read(body, "fullLogo"), Picture.read(body, "favIcon"));
        }

        List<Picture> all() {
            return Stream.of(logoIcon, fullLogo, favIcon)
                    .flatMap(Optional::stream)
                    .toList();
        }
    }

    private static final String PROVIDERS = "federatedAuthProviders";
    private static final Pattern NAME = Pattern.compile("^[^./]+$");
    private static final Pattern DOMAIN = Pattern.compile("^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$");

    /** Reads a body; violations are recorded in its fields. */
    static PlatformChanges read(Fields body) {
        var nullable = body.orNull();
        var themeColors = nullable.changedObject("themeColors");
        themeColors.ifNamed(colors -> ThemeColors.check(body, "themeColors", colors));
        var selector = nullable.changedObject("pieceSelectorConfig");
        selector.ifNamed(config -> {
            if (config != null) {
                PieceSelector.check(body.inner("pieceSelectorConfig"));
            }
        });
        return new PlatformChanges(
                body.optionalText("name", NAME),
                color(body),
                json(themeColors),
                body.optionalTexts("filteredPieceNames"),
                body.optionalOption("filteredPieceBehavior", FilterBehavior.class),
                body.optionalFlag("cloudAuthEnabled"),
                body.optionalFlag("googleAuthEnabled"),
                body.optionalFlag("emailAuthEnabled"),
                body.optionalFlag("enforceAllowedAuthDomains"),
                domains(body),
                body.optionalTexts("pinnedPieces"),
                json(selector),
                body.isAbsent("allowedEmbedOrigins") ? Optional.empty() : Optional.of(EmbedOrigins.read(body)),
                SsoDomain.read(nullable),
                provider(body, "saml", SamlProvider::read),
                provider(body, "oidc", OidcProvider::read),
                Pictures.read(body));
    }

    /** An identity provider of the platform; null removes it. */
    private static FieldChange<ObjectNode> provider(Fields body, String name, Function<Fields, ObjectNode> read) {
        if (!body.has(PROVIDERS)) {
            return FieldChange.keep();
        }
        var providers = body.inner(PROVIDERS);
        if (!providers.has(name)) {
            return FieldChange.keep();
        }
        return FieldChange.to(providers.raw(name).isNull() ? null : read.apply(providers.inner(name)));
    }

    private static Optional<String> color(Fields body) {
        var color = body.optionalText("primaryColor");
        color.filter(text -> !ThemeColors.isColor(text))
                .ifPresent(_ -> body.refuse("primaryColor", ThemeColors.REFUSED));
        return color;
    }

    /** Domains are compared with the lower-case end of an address. */
    private static Optional<List<String>> domains(Fields body) {
        return body.optionalTexts("allowedAuthDomains").map(texts -> {
            var domains = texts.stream()
                    .map(text -> text.strip().toLowerCase(Locale.ROOT))
                    .distinct()
                    .toList();
            for (var index = 0; index < domains.size(); index++) {
                if (!DOMAIN.matcher(domains.get(index)).matches()) {
                    body.refuse(
                            "allowedAuthDomains/" + index,
                            "Invalid string: must match pattern /" + DOMAIN.pattern() + "/");
                }
            }
            return domains;
        });
    }

    private static FieldChange<JsonNode> json(FieldChange<ObjectNode> change) {
        return switch (change) {
            case FieldChange.Keep<ObjectNode> _ -> FieldChange.keep();
            case FieldChange.To<ObjectNode>(var object) -> FieldChange.to(object);
        };
    }

    /** The platform after the changes. */
    Platform of(Platform platform, Instant now) {
        var looks = platform.looks();
        var signIn = platform.signIn();
        var pieces = platform.pieces();
        return new Platform(
                platform.id(),
                platform.created(),
                now,
                platform.ownerId(),
                name.orElse(platform.name()),
                new Looks(
                        primaryColor.orElse(looks.primaryColor()),
                        themeColors.or(looks.themeColors()),
                        pictures.logoIcon().map(Picture::url).orElse(looks.logoIconUrl()),
                        pictures.fullLogo().map(Picture::url).orElse(looks.fullLogoUrl()),
                        pictures.favIcon().map(Picture::url).orElse(looks.favIconUrl())),
                new SignInRules(
                        cloudAuthEnabled.orElse(signIn.cloudAuthEnabled()),
                        googleAuthEnabled.orElse(signIn.googleAuthEnabled()),
                        emailAuthEnabled.orElse(signIn.emailAuthEnabled()),
                        enforceAllowedAuthDomains.orElse(signIn.enforceAllowedAuthDomains()),
                        allowedAuthDomains.orElse(signIn.allowedAuthDomains()),
                        ssoDomain.or(signIn.ssoDomain()),
                        SsoDomain.verification(signIn, ssoDomain.or(signIn.ssoDomain()), now),
                        samlProvider.isNamed() ? samlProvider.or(null) != null : signIn.hasSaml(),
                        oidcProvider.isNamed() ? oidcProvider.or(null) != null : signIn.hasOidc()),
                new PieceChoice(
                        filteredPieceNames.orElse(pieces.filteredNames()),
                        filteredPieceBehavior.orElse(pieces.filterBehavior()),
                        pinnedPieces.orElse(pieces.pinned()),
                        pieceSelectorConfig.or(pieces.selectorConfig())),
                allowedEmbedOrigins.orElse(platform.allowedEmbedOrigins()));
    }
}
