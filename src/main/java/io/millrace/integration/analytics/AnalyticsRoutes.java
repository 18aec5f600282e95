package io.millrace.integration.analytics;

import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.input.Fields;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.util.Optional;

/** Routes of analytics, for administrators of the platform (contract admin-api 29). */
public final class AnalyticsRoutes implements RouteGroup {
    private final Bus bus;

    public AnalyticsRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var access = Access.platformAdmin();
        routes.get(
                "/v1/analytics",
                access,
                input -> TimePeriod.read(input.query()),
                (call, period) -> show(call, period, false));
        routes.post(
                "/v1/analytics/refresh",
                access,
                input -> TimePeriod.read(input.query()),
                (call, period) -> show(call, period, true));
        routes.get(
                "/v1/analytics/project-leaderboard",
                access,
                AnalyticsRoutes::readPeriod,
                (call, period) -> rank(call, period, Analytics.Subject.PROJECTS));
        routes.get(
                "/v1/analytics/user-leaderboard",
                access,
                AnalyticsRoutes::readPeriod,
                (call, period) -> rank(call, period, Analytics.Subject.USERS));
    }

    private static TimePeriod readPeriod(Input input) {
        var query = input.query();
        requireText(query);
        return TimePeriod.read(query).orElse(TimePeriod.LAST_WEEK);
    }

    private static void requireText(Fields query) {
        if (query.isAbsent("timePeriod")) {
            query.text("timePeriod");
        }
    }

    private Future<ApiReply> show(ApiCall call, Optional<TimePeriod> period, boolean refreshed) {
        return bus.ask(new Analytics.Show(call.principal(), period, refreshed), call.deadlineMs())
                .map(ApiReply::ok);
    }

    private Future<ApiReply> rank(ApiCall call, TimePeriod period, Analytics.Subject subject) {
        return bus.ask(new Analytics.Rank(call.principal(), period, subject), call.deadlineMs())
                .map(ApiReply::ok);
    }
}
