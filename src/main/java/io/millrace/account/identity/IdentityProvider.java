package io.millrace.account.identity;

/** Who vouched for a person first (contract admin-api 15.1, 32). */
public enum IdentityProvider {
    /** The person, with a password or a mailed code. */
    EMAIL,
    GOOGLE,
    /** The platform's own identity provider, by SAML. */
    SAML,
    /** The platform's own identity provider, by OpenID Connect. */
    OIDC,
    /** A product outside that embeds this one. */
    JWT;

    /** What an event says of where somebody signed up (contract admin-api 21). */
    String source() {
        return switch (this) {
            case EMAIL -> "credentials";
            case GOOGLE, SAML, OIDC -> "sso";
            case JWT -> "managed";
        };
    }
}
