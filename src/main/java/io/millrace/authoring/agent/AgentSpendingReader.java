package io.millrace.authoring.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import java.util.List;

/**
 * Parses what limits the spending of an agent's runs, and its fallback model: {@code maxTokens}, {@code maxCostUsd} and {@code
 * fallbackModel}. Absent fields stay absent.
 */
public final class AgentSpendingReader {
    public static final String MAX_TOKENS = "maxTokens";
    public static final String MAX_COST = "maxCostUsd";
    public static final String FALLBACK = "fallbackModel";
    public static final List<String> FIELDS = List.of(MAX_TOKENS, MAX_COST, FALLBACK);

    private static final double COST_MAX = 1_000_000;
    private static final int MODEL_LENGTH_MAX = 200;

    private AgentSpendingReader() {}

    public static ObjectNode read(Fields given) {
        var holder = given.orNull();
        var read = Json.object();
        holder.optionalInteger(MAX_TOKENS, 1, Integer.MAX_VALUE).ifPresent(tokens -> read.put(MAX_TOKENS, tokens));
        if (!holder.isAbsent(MAX_COST)) {
            readCost(holder, read);
        }
        if (!holder.isAbsent(FALLBACK)) {
            var model = holder.inner(FALLBACK).orNull();
            var fallback = read.putObject(FALLBACK);
            AgentConfigReader.provider(model, "provider").ifPresent(name -> fallback.put("provider", name));
            model.optionalText("providerConfigId").ifPresent(id -> fallback.put("providerConfigId", id));
            if (!model.isAbsent("modelName")) {
                fallback.put("modelName", model.text("modelName", 1, MODEL_LENGTH_MAX));
            }
        }
        return read;
    }

    private static void readCost(Fields holder, ObjectNode read) {
        JsonNode cost = holder.raw(MAX_COST);
        if (cost.isNumber() && cost.asDouble() > 0 && cost.asDouble() <= COST_MAX) {
            read.set(MAX_COST, cost);
        } else {
            holder.refuse(
                    MAX_COST, "Invalid input: expected a number of US dollars above 0, at most " + (long) COST_MAX);
        }
    }
}
