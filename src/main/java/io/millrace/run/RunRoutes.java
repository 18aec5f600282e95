package io.millrace.run;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.bus.Bus;
import io.millrace.core.Fields;
import io.millrace.core.Ids;
import io.millrace.core.PageRequest;
import io.millrace.http.Call;
import io.millrace.http.HttpModule;
import io.millrace.http.Input;
import io.millrace.http.Reply;
import io.millrace.http.Routes;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Reading runs over HTTP (contract flows-and-engine 5.3 to 5.5). */
public final class RunRoutes implements HttpModule {
    private static final int PAGE_LIMIT = 10;

    private final Bus bus;

    public RunRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/flow-runs", Access.projectInQuery(Permission.READ_RUN), RunRoutes::readList, this::list);
        routes.get(
                "/v1/flow-runs/:id",
                Access.projectOfRow(Permission.READ_RUN, Runs.ProjectOf::new),
                input -> input.id("id"),
                this::get);
    }

    private record Wanted(Runs.Filter filter, PageRequest page) {}

    private static Wanted readList(Input input) {
        var query = input.query();
        return new Wanted(
                new Runs.Filter(
                        query.text("projectId", Ids.PATTERN),
                        query.texts("flowId"),
                        query.options("status", RunStatus.class),
                        query.texts("tags"),
                        query.texts("flowRunIds"),
                        instant(query, "createdAfter"),
                        instant(query, "createdBefore"),
                        query.optionalText("failedStepName"),
                        query.optionalText("failedStepMessage")),
                query.page(PAGE_LIMIT));
    }

    private static Optional<Instant> instant(Fields query, String name) {
        return query.optionalText(name).flatMap(text -> {
            try {
                return Optional.of(OffsetDateTime.parse(text).toInstant());
            } catch (DateTimeParseException malformed) {
                query.refuse(name, "Invalid ISO datetime");
                return Optional.empty();
            }
        });
    }

    private Future<Reply> list(Call call, Wanted wanted) {
        return bus.ask(new Runs.Find(wanted.filter(), wanted.page()), call.deadlineMs())
                .map(page -> Reply.page(page, Run::toJson));
    }

    private Future<Reply> get(Call call, String runId) {
        return bus.ask(new Runs.Get(runId), call.deadlineMs()).map(run -> Reply.deep(200, run));
    }
}
