package io.millrace.integration.release.push;

import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.input.Fields;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.integration.git.GitRepos;
import io.vertx.core.Future;
import java.util.List;

/** The route that pushes to the repository of a project (contract admin-api 10.2). */
public final class PushRoutes implements RouteGroup {
    private static final int MESSAGE_LENGTH_MAX = 10_000;
    private static final int ITEMS_MAX = 1_000;
    private static final int ID_LENGTH_MAX = 255;

    private final Bus bus;
    private final long deadlineMs;

    public PushRoutes(Bus bus, long deadlineMs) {
        this.bus = bus;
        this.deadlineMs = deadlineMs;
    }

    @Override
    public void mount(Routes routes) {
        routes.post(
                "/v1/git-repos/:id/push",
                Access.projectUsersOfRow(Permission.WRITE_PROJECT_RELEASE, GitRepos.ProjectOf::new),
                Parameters::read,
                this::push);
    }

    private record Parameters(PushType type, String commitMessage, List<String> externalIds) {
        static Parameters read(Input input) {
            input.id("id");
            var body = input.body();
            var type = body.option("type", PushType.class);
            var message = body.text("commitMessage", 1, MESSAGE_LENGTH_MAX);
            return new Parameters(
                    type,
                    message,
                    switch (type) {
                        case PUSH_FLOW, DELETE_FLOW -> ids(body, "externalFlowIds");
                        case PUSH_TABLE, DELETE_TABLE -> ids(body, "externalTableIds");
                        case PUSH_EVERYTHING -> List.of();
                    });
        }

        private static List<String> ids(Fields body, String name) {
            var given = body.array(name);
            if (given.size() > ITEMS_MAX) {
                body.refuse(name, "Too big: expected array to have <=" + ITEMS_MAX + " items");
            }
            if (given.isEmpty() || given.size() > ITEMS_MAX) {
                return List.of();
            }
            var ids = body.texts(name);
            for (var index = 0; index < ids.size(); index++) {
                if (ids.get(index).isEmpty() || ids.get(index).length() > ID_LENGTH_MAX) {
                    body.refuse(
                            name + "/" + index,
                            "Invalid input: expected a string of 1 to " + ID_LENGTH_MAX + " characters");
                }
            }
            return ids;
        }
    }

    private Future<ApiReply> push(ApiCall call, Parameters parameters) {
        return bus.ask(
                        new Pushes.Push(
                                call.principal(),
                                call.projectId(),
                                parameters.type(),
                                parameters.commitMessage(),
                                parameters.externalIds()),
                        deadlineMs)
                .map(_ -> ApiReply.okEmpty());
    }
}
