package io.millrace.workspace.usage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Fields;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.workspace.usage.ModelUsages.Period;
import io.vertx.core.Future;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

public final class ModelUsageRoutes implements RouteGroup {
    private static final String COST = "costUsdPerMonth";
    private static final double COST_MAX = 1_000_000;
    private static final int DAYS_MAX = 366;
    private static final String ALL = "/v1/ai-usage";

    private final Bus bus;

    public ModelUsageRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.get(ALL, Access.projectInQuery(Permission.READ_AGENT), ModelUsageRoutes::readProject, this::report);
        routes.get(
                ALL + "/platform", Access.platformAdmin(), input -> readPeriod(input.query()), this::reportOfPlatform);
        routes.post(ALL + "/budgets", Access.platformAdmin(), Budget::read, this::setBudget);
    }

    /**
     * Requested budget; null removes it.
     *
     * @param limit of a flow, an agent, or the money of the project; empty for the tokens of the project
     */
    private record Budget(String projectId, Optional<Long> tokensPerMonth, Optional<SpendingLimit> limit) {
        static Budget read(Input input) {
            var body = input.body();
            var projectId = body.text("projectId", Ids.PATTERN);
            if (!body.has("tokensPerMonth")) {
                body.refuse("tokensPerMonth", "Invalid input: expected number or null, received undefined");
            }
            var tokens = body.orNull()
                    .optionalInteger("tokensPerMonth", 0, Integer.MAX_VALUE)
                    .map(Integer::longValue);
            return new Budget(projectId, tokens, limit(body, tokens));
        }

        private static Optional<SpendingLimit> limit(Fields body, Optional<Long> tokens) {
            var flow = body.orNull().optionalText("flowId", Ids.PATTERN);
            var agent = body.orNull().optionalText("agentId", Ids.PATTERN);
            var cost = body.has(COST) && !body.raw(COST).isNull()
                    ? Optional.of(body.raw(COST).asDouble(-1))
                    : Optional.<Double>empty();
            if (cost.filter(most -> !body.raw(COST).isNumber() || most < 0 || most > COST_MAX)
                    .isPresent()) {
                body.refuse(COST, "Invalid input: expected a number of US dollars from 0 to " + (long) COST_MAX);
            }
            if (flow.isPresent() && agent.isPresent()) {
                body.refuse("agentId", "Invalid input: expected a flow or an agent, found both");
            }
            if (flow.isPresent()) {
                return Optional.of(SpendingLimit.of(SpendingLimit.Scope.FLOW, flow.get(), tokens, cost));
            }
            if (agent.isPresent()) {
                return Optional.of(SpendingLimit.of(SpendingLimit.Scope.AGENT, agent.get(), tokens, cost));
            }
            return body.has(COST)
                    ? Optional.of(SpendingLimit.of(SpendingLimit.Scope.PROJECT, "", Optional.empty(), cost))
                    : Optional.empty();
        }
    }

    /** The access check has already resolved the project. */
    private static Optional<Period> readProject(Input input) {
        input.query().text("projectId", Ids.PATTERN);
        return readPeriod(input.query());
    }

    private static Optional<Period> readPeriod(Fields query) {
        var from = day(query, "from");
        var to = day(query, "to");
        if (from.isEmpty() && to.isEmpty()) {
            return Optional.empty();
        }
        if (from.isEmpty() || to.isEmpty()) {
            query.refuse(from.isEmpty() ? "from" : "to", "Invalid input: expected both days, or none");
            return Optional.empty();
        }
        var days = ChronoUnit.DAYS.between(from.get(), to.get());
        if (days < 0 || days >= DAYS_MAX) {
            query.refuse("to", "Invalid input: expected a day behind from, at most " + DAYS_MAX + " days in all");
        }
        return Optional.of(new Period(from.get(), to.get()));
    }

    private static Optional<LocalDate> day(Fields query, String name) {
        return query.optionalText(name).flatMap(text -> {
            try {
                return Optional.of(LocalDate.parse(text));
            } catch (DateTimeParseException malformed) {
                query.refuse(name, "Invalid ISO date");
                return Optional.empty();
            }
        });
    }

    private Future<ApiReply> report(ApiCall call, Optional<Period> period) {
        return bus.ask(new ModelUsages.ReportOf(call.projectId(), period), call.deadlineMs())
                .map(ApiReply::ok);
    }

    private Future<ApiReply> reportOfPlatform(ApiCall call, Optional<Period> period) {
        return bus.ask(new ModelUsages.ReportOfPlatform(call.principal().platform(), period), call.deadlineMs())
                .map(ApiReply::ok);
    }

    /** Tokens of the project have been set without its money since the first release. */
    private Future<ApiReply> setBudget(ApiCall call, Budget budget) {
        if (budget.limit().isEmpty()) {
            return setTokens(call, budget);
        }
        var limit = budget.limit().get();
        var set = bus.ask(
                new ModelUsages.SetLimit(call.principal().platform(), budget.projectId(), limit), call.deadlineMs());
        return limit.scope() == SpendingLimit.Scope.PROJECT
                ? set.compose(json -> setTokens(call, budget)
                        .map(_ -> ApiReply.ok(((ObjectNode) json)
                                .put("tokensPerMonth", budget.tokensPerMonth().orElse(null)))))
                : set.map(ApiReply::ok);
    }

    private Future<ApiReply> setTokens(ApiCall call, Budget budget) {
        return bus.ask(
                        new ModelUsages.SetBudget(
                                call.principal().platform(), budget.projectId(), budget.tokensPerMonth()),
                        call.deadlineMs())
                .map(ApiReply::ok);
    }
}
