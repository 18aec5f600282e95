package io.millrace.account.identity;

import java.util.regex.Pattern;

/** A first name guessed from an address, until the user enters one (contract admin-api 32.6). */
final class GuessedName {
    private static final Pattern WORD_ENDS = Pattern.compile("[^\\p{L}]+");
    private static final String NOBODY = "User";

    private GuessedName() {}

    /** The first word of the address: {@code ada.lovelace+news@example.com} is Ada. */
    static String of(String email) {
        var local = email.substring(0, Math.max(0, email.indexOf('@')));
        for (var word : WORD_ENDS.split(local)) {
            if (word.length() > 1) {
                return Character.toTitleCase(word.charAt(0)) + word.substring(1);
            }
        }
        return NOBODY;
    }
}
