package io.millrace.integration.issue;

import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;

/** Routes of issues. Roles need the permissions of runs, whose failures they are. */
public final class IssueRoutes implements RouteGroup {
    private static final int PAGE_LIMIT = 10;

    private final Bus bus;

    public IssueRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/issues", Access.projectInQuery(Permission.READ_RUN), IssueRoutes::readList, this::list);
        routes.get(
                "/v1/issues/:id",
                Access.projectOfRow(Permission.READ_RUN, Issues.ProjectOf::new),
                input -> input.id("id"),
                this::get);
        routes.post(
                "/v1/issues/:id",
                Access.projectOfRow(Permission.WRITE_RUN, Issues.ProjectOf::new),
                IssueChange::read,
                this::change);
    }

    private record IssueListRequest(Issues.Filter filter, PageRequest page) {}

    private static IssueListRequest readList(Input input) {
        var query = input.query();
        var filter = new Issues.Filter(
                query.text("projectId", Ids.PATTERN),
                query.options("status", IssueStatus.class),
                query.texts("flowId"),
                query.optionalInstant("lastOccurrenceAfter"),
                query.optionalInstant("lastOccurrenceBefore"));
        return new IssueListRequest(filter, query.page(PAGE_LIMIT));
    }

    private Future<ApiReply> list(ApiCall call, IssueListRequest ask) {
        return bus.ask(new Issues.Find(ask.filter(), ask.page()), call.deadlineMs())
                .map(page -> ApiReply.page(page, FlowIssue::toJson));
    }

    private Future<ApiReply> get(ApiCall call, String issueId) {
        return bus.ask(new Issues.Get(issueId), call.deadlineMs()).map(found -> {
            var json = found.issue().toJson();
            var days = json.putArray("days");
            found.days()
                    .forEach(day -> days.add(
                            Json.object().put("day", day.day().toString()).put("count", day.occurrences())));
            return ApiReply.ok(json);
        });
    }

    private record IssueChange(String id, IssueStatus status) {
        static IssueChange read(Input input) {
            return new IssueChange(input.id("id"), input.body().option("status", IssueStatus.class));
        }
    }

    private Future<ApiReply> change(ApiCall call, IssueChange change) {
        return bus.ask(new Issues.SetStatus(call.principal(), change.id(), change.status()), call.deadlineMs())
                .map(issue -> ApiReply.ok(issue.toJson()));
    }
}
