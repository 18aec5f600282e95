package io.millrace.integration.git;

import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Page;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;

/** Routes of git repositories (seed endpoint 9, contract admin-api 10). The release module handles pushes. */
public final class GitRoutes implements RouteGroup {
    private static final String ALL = "/v1/git-repos";

    private final Bus bus;
    private final long remoteDeadlineMs;

    public GitRoutes(Bus bus, long remoteDeadlineMs) {
        this.bus = bus;
        this.remoteDeadlineMs = remoteDeadlineMs;
    }

    @Override
    public void mount(Routes routes) {
        var write = Permission.WRITE_PROJECT_RELEASE;
        routes.post(ALL, Access.projectInBody(write), GitRoutes::readWish, this::save);
        routes.get(
                ALL,
                Access.projectInQuery(Permission.READ_PROJECT_RELEASE),
                input -> input.query().text("projectId", Ids.PATTERN),
                this::list);
        routes.delete(
                ALL + "/:id",
                Access.projectUsersOfRow(write, GitRepos.ProjectOf::new),
                input -> input.id("id"),
                this::delete);
    }

    private static NewGitRepo readWish(Input input) {
        var body = input.body();
        body.text("projectId", 1, Integer.MAX_VALUE);
        return NewGitRepo.read(body);
    }

    private Future<ApiReply> save(ApiCall call, NewGitRepo parameters) {
        return bus.ask(new GitRepos.Save(call.projectId(), parameters), remoteDeadlineMs)
                .map(repo -> ApiReply.created(repo.toJson()));
    }

    private Future<ApiReply> list(ApiCall call, String projectId) {
        return bus.ask(new GitRepos.FindOf(projectId), call.deadlineMs())
                .map(found -> ApiReply.page(Page.whole(found.stream().toList()), GitRepo::toJson));
    }

    private Future<ApiReply> delete(ApiCall call, String id) {
        return bus.ask(new GitRepos.Delete(id), call.deadlineMs()).map(_ -> ApiReply.empty());
    }
}
