package io.millrace.account.identity;

/** First authentication source of a person (contract admin-api 15.1, 32). */
public enum IdentityProvider {
    /** The person, with a password or a mailed code. */
    EMAIL,
    GOOGLE,
    SAML,
    OIDC,
    /** A product that embeds this one. */
    JWT;

    /** Source of a sign-up in audit events (contract admin-api 21). */
    String source() {
        return switch (this) {
            case EMAIL -> "credentials";
            case GOOGLE, SAML, OIDC -> "sso";
            case JWT -> "managed";
        };
    }
}
