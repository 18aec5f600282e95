package io.millrace.account.platform;

import java.net.IDN;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Names of a new platform and of its first project, guessed from the user's address (contract admin-api 18.2): the company of
 * the e-mail's domain, or the first name where the domain belongs to a consumer mail provider.
 *
 * @param platform name of the platform
 * @param project name of the personal project
 */
public record PlatformNames(String platform, String project) {
    /** Second-level labels between a company and its country, as in {@code co.uk} or {@code com.br}. */
    private static final Set<String> SECOND_LEVELS =
            Set.of("co", "com", "org", "net", "gov", "edu", "ac", "or", "ne", "go", "gob", "gouv");

    private static final int COUNTRY_CODE_LENGTH = 2;

    /**
     * Guesses the names.
     *
     * @param email a valid address in lower case
     */
    public static PlatformNames of(String email, String firstName) {
        var labels = Arrays.asList(
                email.substring(email.indexOf('@') + 1).toLowerCase(Locale.ROOT).split("\\."));
        var company = companyLabel(labels);
        if (ConsumerMail.isConsumer(String.join(".", labels), company)) {
            return new PlatformNames(firstName + "'s Platform", firstName + "'s Project");
        }
        var name = spoken(company);
        return new PlatformNames(name, name + "'s Project");
    }

    static boolean isConsumer(String domain) {
        return ConsumerMail.isConsumer(domain, companyLabel(Arrays.asList(domain.split("\\."))));
    }

    /** The registrable label of a domain: the one before the public suffix. */
    private static String companyLabel(List<String> labels) {
        var place = labels.size() - 2;
        if (place > 0
                && labels.getLast().length() == COUNTRY_CODE_LENGTH
                && SECOND_LEVELS.contains(labels.get(place))) {
            place--;
        }
        return labels.get(Math.max(0, place));
    }

    /** Display form of a label: {@code acme-tools} becomes Acme Tools; an international label is shown in its own script. */
    private static String spoken(String label) {
        var words = Arrays.stream(IDN.toUnicode(label).split("-"))
                .filter(word -> !word.isEmpty())
                .map(PlatformNames::capitalised)
                .collect(Collectors.joining(" "));
        return words.isEmpty() ? label : words;
    }

    private static String capitalised(String word) {
        var first = word.codePointAt(0);
        return new StringBuilder()
                .appendCodePoint(Character.toTitleCase(first))
                .append(word.substring(Character.charCount(first)))
                .toString();
    }
}
