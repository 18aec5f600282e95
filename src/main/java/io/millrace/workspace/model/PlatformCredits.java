package io.millrace.workspace.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalDouble;

/**
 * The platform's own AI credits: an account at OpenRouter, or at a compatible service, that all projects use.
 *
 * @param key secret: never logged, never returned
 * @param url base address of the service
 */
public record PlatformCredits(String key, String url) {
    /** Credits per dollar, as counted by the product that flows are imported from. */
    private static final double CREDITS_PER_DOLLAR = 1_000;

    /** The models that any credits offer, as an array of {@code {id, name, type}}. */
    public static JsonNode models() {
        return OfferedModels.ofCredits();
    }

    /** Credits that a response cost; empty when the response has no cost. */
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
