package io.millrace.app.cli.remote;

import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of the items of a definition, in place of their numbers, in the message of a refusal. */
final class RefusedItems {
    private static final Pattern ITEM =
            Pattern.compile("body/(flows|tables|connections|folders|variables)/([0-9]{1,6})/?([^ ]*)");

    private RefusedItems() {}

    interface ItemNaming {
        Optional<String> of(String list, int number);
    }

    static <T> T naming(ItemNaming names, Supplier<T> call) {
        try {
            return call.get();
        } catch (RemoteException refused) {
            throw refused.saying(named(names, refused.getMessage()));
        }
    }

    private static String named(ItemNaming names, String message) {
        return ITEM.matcher(message)
                .replaceAll(found -> names.of(found.group(1), Integer.parseInt(found.group(2)))
                        .map(name -> name + ": " + found.group(3))
                        .map(Matcher::quoteReplacement)
                        .orElseGet(() -> Matcher.quoteReplacement(found.group())));
    }
}
