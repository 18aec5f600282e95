package io.millrace.authoring.flow.limit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import java.util.Optional;

/** Limits on concurrent runs and on started runs per period (decision 0035). At least one of the two is limited. */
public record RunLimit(Optional<Integer> concurrentRuns, Optional<Pace> pace) {
    private static final int RUNS_MAX = 100_000;
    private static final int STARTS_MAX = 10_000;
    private static final int PERIOD_SECONDS_MAX = 86_400;

    /** Maximum number of starts in every interval of this length. */
    public record Pace(int starts, int periodSeconds) {
        boolean isSlowerThan(Pace other) {
            return (long) starts * other.periodSeconds < (long) other.starts * periodSeconds;
        }
    }

    static RunLimit read(Fields given) {
        var concurrentRuns = given.optionalInteger("concurrentRuns", 1, RUNS_MAX);
        var starts = given.optionalInteger("starts", 1, STARTS_MAX);
        var periodSeconds = given.optionalInteger("periodSeconds", 1, PERIOD_SECONDS_MAX);
        if (starts.isPresent() != periodSeconds.isPresent()) {
            given.refuse(
                    starts.isPresent() ? "periodSeconds" : "starts",
                    "Invalid input: expected starts and periodSeconds together");
        }
        if (concurrentRuns.isEmpty() && starts.isEmpty() && given.isSound()) {
            given.refuse("concurrentRuns", "Invalid input: expected concurrentRuns, or starts and periodSeconds");
        }
        return new RunLimit(
                concurrentRuns, starts.flatMap(count -> periodSeconds.map(period -> new Pace(count, period))));
    }

    static RunLimit trusted(JsonNode json) {
        return new RunLimit(
                Optional.of(json.path("concurrentRuns")).filter(JsonNode::isInt).map(JsonNode::intValue),
                Optional.of(json.path("starts"))
                        .filter(JsonNode::isInt)
                        .map(starts -> new Pace(
                                starts.intValue(), json.path("periodSeconds").intValue())));
    }

    ObjectNode toJson() {
        var json = Json.object();
        concurrentRuns.ifPresent(runs -> json.put("concurrentRuns", runs));
        pace.ifPresent(given -> json.put("starts", given.starts()).put("periodSeconds", given.periodSeconds()));
        return json;
    }

    RunLimit and(RunLimit other) {
        var runs = concurrentRuns.isPresent() && other.concurrentRuns.isPresent()
                ? Optional.of(Math.min(concurrentRuns.get(), other.concurrentRuns.get()))
                : concurrentRuns.or(other::concurrentRuns);
        var slower = pace.isPresent() && other.pace.isPresent()
                ? (pace.get().isSlowerThan(other.pace.get()) ? pace : other.pace)
                : pace.or(other::pace);
        return new RunLimit(runs, slower);
    }
}
