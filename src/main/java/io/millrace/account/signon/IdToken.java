package io.millrace.account.signon;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.IdentityProvider;
import io.millrace.account.identity.provisioning.ExternalPerson;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Validation of the claims of an id token, after its signature (OpenID Connect Core 3.1.3.7). Pure. */
final class IdToken {
    private static final Duration SKEW = Duration.ofMinutes(1);

    private static final List<String> TOLD_BESIDE = List.of("email", "name", "given_name", "family_name", "picture");

    private IdToken() {}

    /**
     * The person that the claims describe.
     *
     * @param mustVerify true when the claims must state that the address is verified; a stated unverified address is always
     *     refused
     * @throws IllegalArgumentException when the claims are invalid
     */
    static ExternalPerson read(
            JsonNode claims,
            String clientId,
            String nonce,
            IdentityProvider provider,
            boolean mustVerify,
            Instant now) {
        if (!claims.path("exp").isNumber() || !now.isBefore(time(claims, "exp").plus(SKEW))) {
            throw new IllegalArgumentException("the id token has expired");
        }
        if (!claims.path("iat").isNumber()
                || time(claims, "iat").isAfter(now.plus(SKEW))
                || claims.path("nbf").isNumber() && time(claims, "nbf").isAfter(now.plus(SKEW))) {
            throw new IllegalArgumentException("the id token is not valid yet (nbf)");
        }
        if (!nonce.equals(claims.path("nonce").textValue())) {
            throw new IllegalArgumentException("the nonce of the id token is not that of the request");
        }
        if (claims.path("aud").isArray() && claims.path("aud").size() > 1 || claims.has("azp")) {
            if (!clientId.equals(claims.path("azp").textValue())) {
                throw new IllegalArgumentException("the audience of the id token is not this client");
            }
        }
        var verified = claims.path("email_verified");
        if (verified.isMissingNode() ? mustVerify : !verified.asText().equals("true")) {
            throw new IllegalArgumentException("the provider has not verified the e-mail address");
        }
        return person(claims, provider);
    }

    /**
     * Claims completed with the response of the userinfo endpoint. Claims of the token have precedence, and the address is
     * taken together with its verification claim.
     *
     * @throws IllegalArgumentException when the response is about another subject
     */
    static ObjectNode completed(ObjectNode claims, JsonNode person) {
        var subject = claims.path("sub").asText();
        if (subject.isEmpty() || !subject.equals(person.path("sub").textValue())) {
            throw new IllegalArgumentException("the subject of the userinfo response is not that of the id token");
        }
        var whole = claims.deepCopy();
        for (var name : TOLD_BESIDE) {
            if (!whole.hasNonNull(name) && person.hasNonNull(name)) {
                whole.set(name, person.get(name));
            }
        }
        whole.remove("email_verified");
        return person.has("email_verified") ? whole.set("email_verified", person.get("email_verified")) : whole;
    }

    private static ExternalPerson person(JsonNode claims, IdentityProvider provider) {
        var name = claims.path("name").asText("").strip();
        var space = name.lastIndexOf(' ');
        return new ExternalPerson(
                provider,
                claims.path("email").asText(""),
                claims.path("given_name").asText(space < 0 ? name : name.substring(0, space)),
                claims.path("family_name").asText(space < 0 ? "" : name.substring(space + 1)),
                Optional.ofNullable(claims.path("picture").textValue()));
    }

    private static Instant time(JsonNode claims, String name) {
        return Instant.ofEpochSecond(Math.clamp(claims.path(name).asLong(), 0, 1L << 40));
    }
}
