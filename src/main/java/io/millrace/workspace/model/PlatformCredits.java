package io.millrace.workspace.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalDouble;

/**
 * The platform's own AI credits: an account at OpenRouter, or at whoever speaks as it does, that all projects use.
 *
 * @param key secret: never logged, never returned
 * @param url where it is called
 */
public record PlatformCredits(String key, String url) {
    /** What a dollar buys, as the product that flows come from counts. */
    private static final double CREDITS_PER_DOLLAR = 1_000;

    /** The models that any credits offer, as an array of {@code {id, name, type}}. */
    public static JsonNode models() {
        return OfferedModels.ofCredits();
    }

    /** What an answer took of the credits; empty when it does not say. */
    static OptionalDouble takenBy(JsonNode body) {
        var dollars = body.at("/usage/cost");
        return dollars.isNumber() && dollars.asDouble() >= 0
                ? OptionalDouble.of(dollars.asDouble() * CREDITS_PER_DOLLAR)
                : OptionalDouble.empty();
    }

    @Override
    public String toString() {
        return "PlatformCredits[" + url + "]";
    }
}
