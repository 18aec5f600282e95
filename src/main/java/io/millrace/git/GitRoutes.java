package io.millrace.git;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.bus.Bus;
import io.millrace.core.Ids;
import io.millrace.core.Page;
import io.millrace.http.Call;
import io.millrace.http.HttpModule;
import io.millrace.http.Input;
import io.millrace.http.Reply;
import io.millrace.http.Routes;
import io.vertx.core.Future;

/** Routes of git repositories (seed endpoint 9, contract admin-api 10). What a push means is the room above's affair. */
public final class GitRoutes implements HttpModule {
    private static final String ALL = "/v1/git-repos";

    private final Bus bus;
    private final long remoteDeadlineMs;

    /** @param remoteDeadlineMs how long what asks the remote may take */
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

    private Future<Reply> save(Call call, NewGitRepo wish) {
        return bus.ask(new GitRepos.Save(call.projectId(), wish), remoteDeadlineMs)
                .map(repo -> Reply.created(repo.toJson()));
    }

    private Future<Reply> list(Call call, String projectId) {
        return bus.ask(new GitRepos.FindOf(projectId), call.deadlineMs())
                .map(found -> Reply.page(Page.whole(found.stream().toList()), GitRepo::toJson));
    }

    private Future<Reply> delete(Call call, String id) {
        return bus.ask(new GitRepos.Delete(id), call.deadlineMs()).map(_ -> Reply.empty());
    }
}
