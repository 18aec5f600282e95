package io.millrace.account.signon;

import java.util.Arrays;
import java.util.Optional;

/** Names of providers as clients write them (contract admin-api 32.1). */
enum ProviderName {
    GOOGLE("google"),
    /** The platform's own OpenID Connect provider: an extension of the contract. */
    OIDC("oidc"),
    /** The platform's own SAML provider; its response arrives at a separate endpoint. */
    SAML("saml");

    private final String text;

    ProviderName(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    static Optional<ProviderName> of(String text) {
        return Arrays.stream(values()).filter(name -> name.text.equals(text)).findFirst();
    }
}
