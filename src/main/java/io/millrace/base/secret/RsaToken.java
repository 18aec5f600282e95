package io.millrace.base.secret;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Optional;

/**
 * A JSON web token signed with RS256 only: a header with another algorithm, without one, or with an extension is refused.
 *
 * @param kid names the key that signs
 * @param claims untrusted before {@link #isSignedBy}
 * @param text the whole token
 */
public record RsaToken(String kid, ObjectNode claims, String text) {
    /** Reads a token that names its key; empty for every other text. */
    public static Optional<RsaToken> parse(String text) {
        return JwtKey.parse(JwtKey.RS256, text)
                .filter(token -> token.header().path("kid").isTextual())
                .map(token -> new RsaToken(token.header().get("kid").textValue(), token.claims(), text));
    }

    public boolean isSignedBy(PublicKey key) {
        return JwtKey.rs256(key).verify(text).isPresent();
    }

    public static String issue(String kid, PrivateKey key, ObjectNode claims) {
        return JwtKey.rs256(kid, key).sign(claims);
    }

    /** Hides the token: its text is a credential. */
    @Override
    public String toString() {
        return "RsaToken[" + kid + "]";
    }
}
