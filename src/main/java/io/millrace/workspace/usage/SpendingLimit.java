package io.millrace.workspace.usage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.Locale;
import java.util.Optional;

/**
 * Limit of a month for a project, one of its flows or one of its agents, and its used part.
 *
 * @param subjectId id of the flow or agent; empty text for the project
 * @param tokensMax empty for no limit of tokens
 * @param costMicrosMax empty for no limit of money
 */
record SpendingLimit(
        Scope scope,
        String subjectId,
        Optional<Long> tokensMax,
        Optional<Long> costMicrosMax,
        long tokens,
        long costMicros) {
    private static final double MICROS_OF_DOLLAR = 1_000_000;

    enum Scope {
        PROJECT,
        FLOW,
        AGENT
    }

    /** Reason why no model is called for the subject until the end of the month; empty while the limit is not reached. */
    Optional<String> reason() {
        var subject = "the " + scope.name().toLowerCase(Locale.ROOT);
        if (tokensMax.filter(most -> tokens >= most).isPresent()) {
            return Optional.of(subject + " has used " + tokens + " of " + tokensMax.get() + " tokens for this month");
        }
        return costMicrosMax
                .filter(most -> costMicros >= most)
                .map(most -> String.format(
                        Locale.ROOT,
                        "%s has spent $%.4f of $%.4f for this month",
                        subject,
                        costMicros / MICROS_OF_DOLLAR,
                        most / MICROS_OF_DOLLAR));
    }

    static SpendingLimit of(Scope scope, String subjectId, Optional<Long> tokensMax, Optional<Double> costMax) {
        return new SpendingLimit(
                scope, subjectId, tokensMax, costMax.map(most -> Math.round(most * MICROS_OF_DOLLAR)), 0, 0);
    }

    ObjectNode toRequest(String projectId) {
        var json = Json.object().put("projectId", projectId);
        if (scope != Scope.PROJECT) {
            json.put(scope == Scope.FLOW ? "flowId" : "agentId", subjectId);
        }
        return json.put("tokensPerMonth", tokensMax.orElse(null))
                .put(
                        "costUsdPerMonth",
                        costMicrosMax.map(most -> most / MICROS_OF_DOLLAR).orElse(null));
    }

    ObjectNode toJson() {
        return Json.object()
                .put("scope", scope.name())
                .put("subjectId", subjectId.isEmpty() ? null : subjectId)
                .put("tokensPerMonth", tokensMax.orElse(null))
                .put(
                        "costUsdPerMonth",
                        costMicrosMax.map(most -> most / MICROS_OF_DOLLAR).orElse(null))
                .put("tokensUsedThisMonth", tokens)
                .put("costUsdThisMonth", costMicros / MICROS_OF_DOLLAR);
    }
}
