package io.millrace.engine.run.start;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.IdempotencyKey;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunScope;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Key of a start of runs (decision 0033). Tests have their own keys: an event tested on a draft must not count as
 * processed.
 */
record StartKey(String flowId, RunEnvironment environment, String text) {
    /**
     * The key given by the caller, else the provider's delivery id as configured by the trigger's author; empty without
     * either. An event without a usable delivery id is accepted without deduplication, because losing it would be
     * worse.
     */
    static Optional<StartKey> of(CompiledFlow flow, Runs.Start start, InstantSource clock, RandomGenerator random) {
        var text = start.call().idempotencyKey() != null
                ? Optional.of(start.call().idempotencyKey())
                : deliveryId(flow.trigger(), start.payload(), clock, random);
        return text.map(key -> new StartKey(start.flow().id(), start.environment(), key));
    }

    private static Optional<String> deliveryId(
            CompiledFlow.Trigger trigger, JsonNode payload, InstantSource clock, RandomGenerator random) {
        if (trigger.deliveryId() == null) {
            return Optional.empty();
        }
        var seen = Json.object();
        seen.putObject(trigger.name()).set("output", payload);
        try {
            var id = trigger.deliveryId().resolve(new RunScope(List.of(seen), clock, random));
            return Optional.of(id.isTextual() || id.isIntegralNumber() ? id.asText() : "")
                    .filter(text -> !text.isBlank())
                    .map(IdempotencyKey::of);
        } catch (ExpressionFailure unusable) {
            return Optional.empty();
        }
    }
}
