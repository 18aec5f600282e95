package io.millrace.workspace.usage;

import io.millrace.piece.model.ModelChoice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Prices of models, from a dated file: lines of {@code model,input,output} in US dollars for a million tokens, comments, and
 * {@code # date: 2026-11-28}. A model is found by the longest name in the file that its own name begins with.
 */
public final class ModelPrices {
    private static final String SHIPPED = "/conf/model-prices.csv";
    private static final String DATE = "# date:";
    private static final int FIELDS = 3;
    private static final double PRICE_MAX = 1_000_000;

    /** Microdollars of a credit: a thousand credits are a dollar. */
    private static final double MICROS_OF_CREDIT = 1_000;

    private final LocalDate date;
    private final Map<String, Price> prices;

    private record Price(double input, double output) {}

    private ModelPrices(LocalDate date, Map<String, Price> prices) {
        this.date = date;
        this.prices = prices;
    }

    /** The table of a file, or the one that ships with this release. Fails with IllegalArgumentException for an unusable file. */
    public static ModelPrices read(Optional<Path> file) {
        if (file.isEmpty()) {
            return shipped();
        }
        try {
            return parse(Files.readString(file.get()));
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "cannot read " + file.get() + ": " + unreadable.getMessage(), unreadable);
        }
    }

    static ModelPrices shipped() {
        try (var stream = ModelPrices.class.getResourceAsStream(SHIPPED)) {
            if (stream == null) {
                throw new IllegalStateException("expected the resource " + SHIPPED + ", found none");
            }
            return parse(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static ModelPrices parse(String text) {
        var prices = new HashMap<String, Price>();
        LocalDate date = null;
        var number = 0;
        for (var line : text.lines().toList()) {
            number++;
            if (line.startsWith(DATE)) {
                date = dateOf(line.substring(DATE.length()).strip());
            } else if (!line.isBlank() && !line.startsWith("#")) {
                var fields = line.split(",", -1);
                if (fields.length != FIELDS || fields[0].isBlank()) {
                    throw new IllegalArgumentException(
                            "line " + number + ": expected model,input,output, found " + line.strip());
                }
                var price = new Price(priceOf(fields[1], number), priceOf(fields[2], number));
                prices.put(fields[0].strip().toLowerCase(Locale.ROOT), price);
            }
        }
        if (date == null) {
            throw new IllegalArgumentException("expected a line \"# date: 2026-11-28\", found none");
        }
        return new ModelPrices(date, prices);
    }

    private static LocalDate dateOf(String text) {
        try {
            return LocalDate.parse(text);
        } catch (DateTimeParseException malformed) {
            throw new IllegalArgumentException("expected an ISO date behind \"# date:\", found " + text, malformed);
        }
    }

    private static double priceOf(String text, int line) {
        try {
            var price = Double.parseDouble(text.strip());
            if (price >= 0 && price <= PRICE_MAX) {
                return price;
            }
        } catch (NumberFormatException malformed) {
            throw new IllegalArgumentException("line " + line + ": expected a price, found " + text, malformed);
        }
        throw new IllegalArgumentException(
                "line " + line + ": expected a price of at most " + PRICE_MAX + ", found " + text);
    }

    LocalDate date() {
        return date;
    }

    /**
     * Cost in microdollars, rounded up; empty for a model without a price. A dollar for a million tokens is a
     * microdollar each.
     */
    OptionalLong micros(ModelChoice choice, long inputTokens, long outputTokens) {
        return find(choice)
                .map(price ->
                        OptionalLong.of((long) Math.ceil(price.input() * inputTokens + price.output() * outputTokens)))
                .orElse(OptionalLong.empty());
    }

    static long microsOfCredits(double credits) {
        return (long) Math.ceil(credits * MICROS_OF_CREDIT);
    }

    private Optional<Price> find(ModelChoice choice) {
        var model = choice.model().toLowerCase(Locale.ROOT);
        var ofProvider = longest(choice.provider().toLowerCase(Locale.ROOT) + ":" + model);
        return ofProvider.isPresent() ? ofProvider : longestOfParts(model);
    }

    /** The name itself, and what follows a vendor or a region in it. */
    private Optional<Price> longestOfParts(String model) {
        var whole = longest(model);
        for (var at = 0; whole.isEmpty() && at < model.length(); at++) {
            if (model.charAt(at) == '/' || model.charAt(at) == '.') {
                whole = longest(model.substring(at + 1));
            }
        }
        return whole;
    }

    private Optional<Price> longest(String name) {
        for (var length = name.length(); length > 0; length--) {
            var known = prices.get(name.substring(0, length));
            // claude-sonnet-4 is the begin of claude-sonnet-4.6, but o3 is not that of o30.
            var isWord = length == name.length() || !Character.isLetterOrDigit(name.charAt(length));
            if (known != null && isWord) {
                return Optional.of(known);
            }
        }
        return Optional.empty();
    }
}
