package io.millrace.workspace.secretmanager;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Kinds of secret managers (contract admin-api 26.1). */
public enum SecretVendor {
    HASHICORP("hashicorp"),
    AWS("aws"),
    CYBERARK_CONJUR("cyberark-conjur"),
    ONEPASSWORD("onepassword");

    private final String word;

    SecretVendor(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }

    static Optional<SecretVendor> of(String word) {
        return Arrays.stream(values())
                .filter(vendor -> vendor.word.equals(word))
                .findFirst();
    }

    /** All names, as a refusal lists them (contract admin-api 1.5). */
    static String options() {
        return Arrays.stream(values()).map(vendor -> '"' + vendor.word + '"').collect(Collectors.joining("|"));
    }
}
