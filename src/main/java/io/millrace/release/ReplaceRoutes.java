package io.millrace.release;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.bus.Bus;
import io.millrace.core.Json;
import io.millrace.http.Call;
import io.millrace.http.HttpModule;
import io.millrace.http.Input;
import io.millrace.http.Reply;
import io.millrace.http.Routes;
import io.vertx.core.Future;

/** The route that replaces a whole project (contract admin-api 11). {@code dryRun} is an addition of this server. */
public final class ReplaceRoutes implements HttpModule {
    private static final int CANNOT_LAND = 422;

    private final Bus bus;
    private final long deadlineMs;

    /** @param deadlineMs how long it may take, the triggers of new flows included */
    public ReplaceRoutes(Bus bus, long deadlineMs) {
        this.bus = bus;
        this.deadlineMs = deadlineMs;
    }

    @Override
    public void mount(Routes routes) {
        routes.postDeep(
                "/v1/projects/:id/replace",
                Access.projectInPath(Permission.WRITE_PROJECT_RELEASE),
                Wish::read,
                this::replace);
    }

    /** A replace as it is asked for. */
    private record Wish(ProjectDocument document, boolean isDryRun) {
        static Wish read(Input input) {
            input.id("id");
            var isDryRun = input.query().optionalFlag("dryRun").orElse(false);
            return new Wish(ProjectDocument.read(input.body()), isDryRun);
        }
    }

    private Future<Reply> replace(Call call, Wish wish) {
        return bus.ask(
                        new Releases.Replace(call.principal(), call.projectId(), wish.document(), wish.isDryRun()),
                        deadlineMs)
                .map(ReplaceRoutes::reply);
    }

    private static Reply reply(ReplaceOutcome outcome) {
        return switch (outcome) {
            case ReplaceOutcome.Applied(var summary) -> Reply.ok(summary);
            case ReplaceOutcome.Refused(var errors) -> {
                var body = Json.object();
                var list = body.putArray("errors");
                errors.forEach(list::add);
                yield Reply.json(CANNOT_LAND, body);
            }
        };
    }
}
