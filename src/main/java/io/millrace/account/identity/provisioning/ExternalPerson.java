package io.millrace.account.identity.provisioning;

import io.millrace.account.identity.IdentityProvider;
import io.millrace.base.core.CutText;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A person as an identity provider describes them. Names are truncated to the limits of accounts.
 *
 * @param email an address that the provider has verified; kept in lower case
 */
public record ExternalPerson(
        IdentityProvider provider, String email, String firstName, String lastName, Optional<String> imageUrl) {
    /** One plain address: no list, no display name, no invisible character and none that a database rejects. */
    private static final Pattern EMAIL =
            Pattern.compile("[^@\\s\\p{C}\\p{Z}<>,;]{1,200}@[^@\\s\\p{C}\\p{Z}<>,;]{1,200}");

    private static final int NAME_LENGTH_MAX = 100;
    private static final int URL_LENGTH_MAX = 2_000;

    /** @throws IllegalArgumentException when the address is invalid */
    public ExternalPerson {
        email = email.strip().toLowerCase(Locale.ROOT);
        if (!EMAIL.matcher(email).matches()) {
            throw new IllegalArgumentException("expected an e-mail address of the user");
        }
        var local = email.substring(0, email.indexOf('@'));
        firstName = name(firstName).or(() -> name(local)).orElse("User");
        lastName = name(lastName).orElse("");
        imageUrl = imageUrl.filter(url -> url.startsWith("https://") && url.length() <= URL_LENGTH_MAX);
    }

    private static Optional<String> name(String text) {
        var plain = text.replaceAll("[./\\p{Cntrl}]+", " ").strip();
        return Optional.of(CutText.of(plain, NAME_LENGTH_MAX)).filter(name -> !name.isEmpty());
    }
}
