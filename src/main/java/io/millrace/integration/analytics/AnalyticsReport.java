package io.millrace.integration.analytics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Daily statistics of the flows of a platform at the time of the report (contract admin-api 29).
 *
 * @param runs production runs: {@code day}, {@code flowId}, {@code runs}, of these {@code failedRuns}, and the
 *     {@code durationMs} of all together
 * @param flows all flows with names, owner and the minutes that a run saves
 */
record AnalyticsReport(
        String id,
        Instant created,
        Instant updated,
        String platformId,
        Instant cachedAt,
        ArrayNode runs,
        ArrayNode flows) {
    static final Duration FRESH = Duration.ofMinutes(5);

    boolean isOutdated(Instant now) {
        return now.isAfter(cachedAt.plus(FRESH));
    }

    /** JSON of the report for the API, without users. */
    ObjectNode toJson(LocalDate since, Instant now) {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("platformId", platformId)
                .put("cachedAt", Json.timestamp(cachedAt))
                .put("outdated", isOutdated(now));
        json.set("runs", runsSince(since));
        json.set("flows", flows);
        return json;
    }

    /** Days are texts that sort as days do. */
    private ArrayNode runsSince(LocalDate since) {
        var wanted = Json.array();
        for (var run : runs) {
            if (run.path("day").asText().compareTo(since.toString()) >= 0) {
                wanted.add(run);
            }
        }
        return wanted;
    }

    /** Flows and saved minutes by project, or by owner; the largest saving first. */
    ArrayNode ranking(Analytics.Subject subject, LocalDate since) {
        var counts = new HashMap<String, Long>();
        for (var run : runsSince(since)) {
            counts.merge(run.path("flowId").asText(), run.path("runs").asLong(), Long::sum);
        }
        var places = new LinkedHashMap<String, RankedFlow>();
        for (var flow : flows) {
            var key = flow.path(subject == Analytics.Subject.PROJECTS ? "projectId" : "ownerId");
            if (key.isTextual()) {
                places.computeIfAbsent(key.asText(), _ -> new RankedFlow(flow))
                        .add(flow, counts.getOrDefault(flow.path("flowId").asText(), 0L));
            }
        }
        return ranking(subject, places);
    }

    private static ArrayNode ranking(Analytics.Subject subject, Map<String, RankedFlow> places) {
        var ranking = Json.array();
        places.entrySet().stream()
                .sorted(Map.Entry.<String, RankedFlow>comparingByValue(
                                (one, other) -> Double.compare(other.minutes, one.minutes))
                        .thenComparing(Map.Entry.comparingByKey()))
                .forEach(entry -> ranking.add(entry.getValue().toJson(subject, entry.getKey())));
        return ranking;
    }

    private static final class RankedFlow {
        private final String projectName;
        private int flows;
        private double minutes;
        private boolean saves;

        RankedFlow(JsonNode flow) {
            this.projectName = flow.path("projectName").asText();
        }

        void add(JsonNode flow, long runs) {
            flows++;
            if (flow.path("timeSavedPerRun").isNumber()) {
                saves = true;
                minutes += runs * flow.path("timeSavedPerRun").asDouble();
            }
        }

        ObjectNode toJson(Analytics.Subject subject, String key) {
            var json = Json.object();
            switch (subject) {
                case PROJECTS -> json.put("projectId", key).put("projectName", projectName);
                case USERS -> json.put("userId", key);
            }
            json.put("flowCount", flows);
            json.set("minutesSaved", Json.number(saves ? minutes : null));
            return json;
        }
    }
}
