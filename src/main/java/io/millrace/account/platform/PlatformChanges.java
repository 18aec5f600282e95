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
        LookChanges looks,
        PieceChoiceChanges choice,
        SignInChanges signIn,
        Optional<List<String>> allowedEmbedOrigins) {
    public record LookChanges(Optional<String> primaryColor, FieldChange<JsonNode> themeColors, Pictures pictures) {}

    public record PieceChoiceChanges(
            Optional<List<String>> filteredPieceNames,
            Optional<FilterBehavior> filteredPieceBehavior,
            Optional<List<String>> pinnedPieces,
            FieldChange<JsonNode> pieceSelectorConfig) {}

    public record SignInChanges(
            Optional<Boolean> cloudAuthEnabled,
            Optional<Boolean> googleAuthEnabled,
            Optional<Boolean> emailAuthEnabled,
            Optional<Boolean> enforceAllowedAuthDomains,
            Optional<List<String>> allowedAuthDomains,
            FieldChange<String> ssoDomain,
            FieldChange<ObjectNode> samlProvider,
            FieldChange<ObjectNode> oidcProvider) {}

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
                new LookChanges(color(body), json(themeColors), Pictures.read(body)),
                new PieceChoiceChanges(
                        body.optionalTexts("filteredPieceNames"),
                        body.optionalOption("filteredPieceBehavior", FilterBehavior.class),
                        body.optionalTexts("pinnedPieces"),
                        json(selector)),
                new SignInChanges(
                        body.optionalFlag("cloudAuthEnabled"),
                        body.optionalFlag("googleAuthEnabled"),
                        body.optionalFlag("emailAuthEnabled"),
                        body.optionalFlag("enforceAllowedAuthDomains"),
                        domains(body),
                        SsoDomain.read(nullable),
                        provider(body, "saml", SamlProvider::read),
                        provider(body, "oidc", OidcProvider::read)),
                body.isAbsent("allowedEmbedOrigins") ? Optional.empty() : Optional.of(EmbedOrigins.read(body)));
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

    Platform of(Platform platform, Instant now) {
        var oldLooks = platform.looks();
        var oldSignIn = platform.signIn();
        var oldPieces = platform.pieces();
        return new Platform(
                platform.id(),
                platform.created(),
                now,
                platform.ownerId(),
                name.orElse(platform.name()),
                new Looks(
                        looks.primaryColor().orElse(oldLooks.primaryColor()),
                        looks.themeColors().or(oldLooks.themeColors()),
                        looks.pictures().logoIcon().map(Picture::url).orElse(oldLooks.logoIconUrl()),
                        looks.pictures().fullLogo().map(Picture::url).orElse(oldLooks.fullLogoUrl()),
                        looks.pictures().favIcon().map(Picture::url).orElse(oldLooks.favIconUrl())),
                new SignInRules(
                        signIn.cloudAuthEnabled().orElse(oldSignIn.cloudAuthEnabled()),
                        signIn.googleAuthEnabled().orElse(oldSignIn.googleAuthEnabled()),
                        signIn.emailAuthEnabled().orElse(oldSignIn.emailAuthEnabled()),
                        signIn.enforceAllowedAuthDomains().orElse(oldSignIn.enforceAllowedAuthDomains()),
                        signIn.allowedAuthDomains().orElse(oldSignIn.allowedAuthDomains()),
                        signIn.ssoDomain().or(oldSignIn.ssoDomain()),
                        SsoDomain.verification(oldSignIn, signIn.ssoDomain().or(oldSignIn.ssoDomain()), now),
                        signIn.samlProvider().isNamed() ? signIn.samlProvider().or(null) != null : oldSignIn.hasSaml(),
                        signIn.oidcProvider().isNamed() ? signIn.oidcProvider().or(null) != null : oldSignIn.hasOidc()),
                new PieceChoice(
                        choice.filteredPieceNames().orElse(oldPieces.filteredNames()),
                        choice.filteredPieceBehavior().orElse(oldPieces.filterBehavior()),
                        choice.pinnedPieces().orElse(oldPieces.pinned()),
                        choice.pieceSelectorConfig().or(oldPieces.selectorConfig())),
                allowedEmbedOrigins.orElse(platform.allowedEmbedOrigins()));
    }
}
