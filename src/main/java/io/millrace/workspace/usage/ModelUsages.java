package io.millrace.workspace.usage;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.piece.model.ModelSpender;
import java.time.LocalDate;
import java.util.Optional;

/** Requests about the usage of models. Answered by {@link ModelUsageService}. */
sealed interface ModelUsages {
    record Count(String projectId, ModelSpender spender, ModelUsage usage)
            implements ModelUsages, BusRequest<Nothing> {}

    /** Reason why no model may be called this month; empty while no limit of the project, the flow and the agent is reached. */
    record LimitReached(String projectId, ModelSpender spender) implements ModelUsages, BusRequest<Optional<String>> {}

    /** Days from one to another, both of them included. */
    record Period(LocalDate from, LocalDate to) {}

    /**
     * Daily usage of a project, with its budget.
     *
     * @param period empty for this month until today
     */
    record ReportOf(String projectId, Optional<Period> period) implements ModelUsages, BusRequest<JsonNode> {}

    record ReportOfPlatform(String platformId, Optional<Period> period) implements ModelUsages, BusRequest<JsonNode> {}

    /**
     * Sets or removes the limit of a flow or an agent, or the money of a project. Fails with ENTITY_NOT_FOUND.
     *
     * @param limit without limits: it is removed
     */
    record SetLimit(String platformId, String projectId, SpendingLimit limit)
            implements ModelUsages, BusRequest<JsonNode> {}

    /**
     * Sets or removes the budget of a project of a platform. Fails with ENTITY_NOT_FOUND.
     *
     * @param tokensPerMonth empty for no budget
     */
    record SetBudget(String platformId, String projectId, Optional<Long> tokensPerMonth)
            implements ModelUsages, BusRequest<JsonNode> {}
}
