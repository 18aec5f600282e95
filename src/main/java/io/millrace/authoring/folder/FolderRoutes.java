package io.millrace.authoring.folder;

import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Fields;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;

/** HTTP API of folders (contract admin-api 9). It requires the permissions of flows, as the contract defines. */
public final class FolderRoutes implements RouteGroup {
    private static final int PAGE_LIMIT = 10;

    private final Bus bus;

    public FolderRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.post("/v1/folders", Access.projectInBody(Permission.WRITE_FLOW), FolderRoutes::readPut, this::put);
        routes.get("/v1/folders", Access.projectInQuery(Permission.READ_FLOW), FolderRoutes::readList, this::list);
        routes.get("/v1/folders/:id", ofFolder(Permission.READ_FLOW), input -> input.id("id"), this::get);
        routes.post("/v1/folders/:id", ofFolder(Permission.WRITE_FLOW), FolderRoutes::readRename, this::rename);
        routes.delete("/v1/folders/:id", ofFolder(Permission.WRITE_FLOW), input -> input.id("id"), this::delete);
    }

    private static Access ofFolder(Permission permission) {
        return Access.projectOfRow(permission, Folders.ProjectOf::new);
    }

    public static String name(Fields body, String field) {
        return body.text(field, 1, Folder.NAME_LENGTH_MAX);
    }

    private static String readPut(Input input) {
        input.body().text("projectId", Ids.PATTERN);
        return name(input.body(), "displayName");
    }

    private Future<ApiReply> put(ApiCall call, String displayName) {
        return bus.ask(new Folders.Put(call.principal(), call.projectId(), displayName), call.deadlineMs())
                .map(folder -> ApiReply.ok(folder.toJson()));
    }

    private record ListQuery(String projectId, PageRequest page) {}

    private static ListQuery readList(Input input) {
        var query = input.query();
        return new ListQuery(query.text("projectId", Ids.PATTERN), query.page(PAGE_LIMIT));
    }

    private Future<ApiReply> list(ApiCall call, ListQuery listing) {
        return bus.ask(new Folders.Find(listing.projectId(), listing.page()), call.deadlineMs())
                .map(page -> ApiReply.page(page, Folder.FolderCounts::toJson));
    }

    private Future<ApiReply> get(ApiCall call, String folderId) {
        return bus.ask(new Folders.Get(folderId), call.deadlineMs()).map(folder -> ApiReply.ok(folder.toJson()));
    }

    private record Renaming(String folderId, String displayName) {}

    private static Renaming readRename(Input input) {
        return new Renaming(input.id("id"), name(input.body(), "displayName"));
    }

    private Future<ApiReply> rename(ApiCall call, Renaming renaming) {
        return bus.ask(
                        new Folders.Rename(call.principal(), renaming.folderId(), renaming.displayName()),
                        call.deadlineMs())
                .map(folder -> ApiReply.ok(folder.toJson()));
    }

    private Future<ApiReply> delete(ApiCall call, String folderId) {
        return bus.ask(new Folders.Delete(call.principal(), folderId), call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }
}
