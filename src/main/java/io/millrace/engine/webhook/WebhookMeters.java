package io.millrace.engine.webhook;

import io.millrace.base.metrics.FixedHistogram;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.metrics.ServerMeter;
import io.millrace.engine.webhook.Webhooks.Variant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Latency metrics of webhook calls, by variant and outcome. Thread-safe. */
final class WebhookMeters {
    private static final int HUNDRED = 100;

    /** Outcome labels. Flows may answer with any status, so statuses are grouped. */
    private static final List<String> OUTCOMES = List.of("other", "2xx", "4xx", "5xx");

    private final Map<Variant, List<FixedHistogram>> durations = new EnumMap<>(Variant.class);

    WebhookMeters(MeterSet meters) {
        for (var variant : Variant.values()) {
            if (!variant.hasAddress()) {
                continue;
            }
            var outcomes = new ArrayList<FixedHistogram>();
            OUTCOMES.forEach(
                    outcome -> outcomes.add(meters.durations(ServerMeter.WEBHOOK_DURATION, variant.name(), outcome)));
            durations.put(variant, List.copyOf(outcomes));
        }
    }

    void answered(Variant variant, int status, long nanos) {
        durations.get(variant).get(outcomeOf(status)).record(nanos);
    }

    private static int outcomeOf(int status) {
        return switch (status / HUNDRED) {
            case 2 -> 1;
            case 4 -> 2;
            case 5 -> 3;
            default -> 0;
        };
    }
}
