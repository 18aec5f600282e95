package io.millrace.authoring.flow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.Flows.FlowWithVersion;
import io.millrace.authoring.flow.Flows.VersionChoice;
import io.millrace.authoring.flow.editor.FlowOperation;
import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.authoring.flow.version.VersionSummary;
import io.millrace.authoring.folder.FolderRoutes;
import io.millrace.base.access.Access;
import io.millrace.base.access.Gate;
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
import io.vertx.core.http.HttpHeaders;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Flows over HTTP (contract flows-and-engine 3). */
public final class FlowRoutes implements RouteGroup {
    private static final Logger LOG = LoggerFactory.getLogger(FlowRoutes.class);
    private static final int PAGE_LIMIT = 10;

    /** Value of a folder filter that means "in no folder". */
    private static final String UNCATEGORISED = "NULL";

    private final Bus bus;

    public FlowRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.post("/v1/flows", Access.projectInBody(Permission.WRITE_FLOW), FlowRoutes::readCreate, this::create);
        routes.get("/v1/flows", Access.projectInQuery(Permission.READ_FLOW), FlowRoutes::readList, this::list);
        routes.get("/v1/flows/count", Access.projectInQuery(Permission.READ_FLOW), FlowRoutes::readCount, this::count);
        routes.get("/v1/flows/:id", ofFlow(Permission.READ_FLOW), FlowRoutes::readGet, this::get);
        routes.get("/v1/flows/:id/code-steps", ofFlow(Permission.READ_FLOW), FlowRoutes::readGet, this::codeSteps);
        routes.get("/v1/flows/:id/warnings", ofFlow(Permission.READ_FLOW), input -> input.id("id"), this::warnings);
        routes.get("/v1/flows/:id/template", ofFlow(Permission.READ_FLOW), input -> input.id("id"), this::export);
        routes.postDeep("/v1/flows/:id", ofFlow(Permission.UPDATE_FLOW_STATUS), FlowRoutes::readOperation, this::apply);
        routes.get(
                "/v1/flows/:id/versions",
                Access.projectUsersOfRow(Flows.ProjectOf::new),
                FlowRoutes::readVersions,
                this::versions);
        routes.delete("/v1/flows/:id", ofFlow(Permission.WRITE_FLOW), input -> input.id("id"), this::delete);
    }

    private static Access ofFlow(Permission permission) {
        return Access.projectOfRow(permission, Flows.ProjectOf::new);
    }

    private record Creation(
            String displayName,
            ObjectNode metadata,
            String templateId,
            Optional<String> folderId,
            Optional<String> folderName) {}

    private static Creation readCreate(Input input) {
        var body = input.body();
        body.text("projectId", Ids.PATTERN);
        return new Creation(
                body.text("displayName"),
                body.optionalObject("metadata").orElse(null),
                body.optionalText("templateId").orElse(null),
                body.optionalText("folderId"),
                body.isAbsent("folderName") ? Optional.empty() : Optional.of(FolderRoutes.name(body, "folderName")));
    }

    private Future<ApiReply> create(ApiCall call, Creation creation) {
        var create = new Flows.Create(
                call.principal(),
                call.projectId(),
                creation.displayName(),
                creation.metadata(),
                creation.templateId(),
                creation.folderId(),
                creation.folderName(),
                null);
        return bus.ask(create, call.deadlineMs()).map(flow -> ApiReply.deep(201, flow.toJson()));
    }

    private record ListQuery(Flows.Filter filter, PageRequest page) {}

    private static ListQuery readList(Input input) {
        var query = input.query();
        var folders = query.texts("folderIds");
        var folder = query.optionalText("folderId");
        var filter = new Flows.Filter(
                query.text("projectId", Ids.PATTERN),
                query.options("status", FlowStatus.class),
                query.optionalText("name"),
                query.texts("externalIds"),
                new Flows.Filter.UsedObjects(query.texts("connectionExternalIds"), query.texts("agentExternalIds")),
                folder.filter(id -> !id.equals(UNCATEGORISED)).map(List::of).orElse(folders),
                folder.filter(UNCATEGORISED::equals).isPresent(),
                query.optionalOption("versionState", VersionChoice.class).orElse(VersionChoice.DRAFT));
        return new ListQuery(filter, query.page(PAGE_LIMIT));
    }

    private Future<ApiReply> list(ApiCall call, ListQuery listing) {
        return bus.ask(new Flows.Find(listing.filter(), listing.page()), call.deadlineMs())
                .map(page -> ApiReply.deepPage(page, FlowWithVersion::toJson));
    }

    private static Flows.Count readCount(Input input) {
        var query = input.query();
        var folder = query.optionalText("folderId");
        return new Flows.Count(
                query.text("projectId", Ids.PATTERN),
                folder.filter(id -> !id.equals(UNCATEGORISED)),
                folder.filter(UNCATEGORISED::equals).isPresent());
    }

    private Future<ApiReply> count(ApiCall call, Flows.Count count) {
        return bus.ask(count, call.deadlineMs()).map(IntNode::valueOf).map(ApiReply::ok);
    }

    private static Flows.Get readGet(Input input) {
        return new Flows.Get(input.id("id"), input.query().optionalText("versionId"));
    }

    private Future<ApiReply> get(ApiCall call, Flows.Get get) {
        return bus.ask(get, call.deadlineMs()).map(flow -> ApiReply.deep(200, flow.toJson()));
    }

    private Future<ApiReply> codeSteps(ApiCall call, Flows.Get get) {
        return bus.ask(new Flows.FindCodeSteps(get.flowId(), get.versionId()), call.deadlineMs())
                .map(reports -> {
                    var json = Json.object();
                    var data = json.putArray("data");
                    reports.forEach(report -> data.add(report.toJson()));
                    return ApiReply.ok(json);
                });
    }

    private record Edit(String flowId, FlowOperation operation, JsonNode request) {}

    private static Edit readOperation(Input input) {
        return new Edit(input.id("id"), FlowOperation.parse(input.rawBody()), input.rawBody());
    }

    /**
     * The route requires UPDATE_FLOW_STATUS, which publishing needs; every other operation requires WRITE_FLOW (3.6).
     */
    private Future<ApiReply> apply(ApiCall call, Edit edit) {
        var entered = edit.operation() instanceof FlowOperation.Publishing
                ? Future.succeededFuture()
                : bus.ask(new Gate.Enter(call.principal(), call.projectId(), Permission.WRITE_FLOW), call.deadlineMs());
        var precondition =
                FlowPrecondition.parse(call.context().request().headers().getAll(HttpHeaders.IF_MATCH));
        var apply = new Flows.Apply(call.principal(), edit.flowId(), edit.operation(), edit.request(), precondition);
        return entered.compose(_ -> bus.ask(apply, call.deadlineMs()))
                .compose(flow -> edit.operation() instanceof FlowOperation.LockAndPublish
                        ? withWarnings(call, edit.flowId(), flow.toJson())
                        : Future.succeededFuture(flow.toJson()))
                .map(flow -> ApiReply.deep(200, flow));
    }

    /** The flow is already published: the response is correct without its warnings. */
    private Future<ObjectNode> withWarnings(ApiCall call, String flowId, ObjectNode json) {
        return bus.ask(new Flows.Judge(flowId), call.deadlineMs())
                .map(verdict -> {
                    verdict.warnings()
                            .forEach(warning -> json.withArray("warnings").add(warning.toJson()));
                    return json;
                })
                .recover(failure -> {
                    LOG.warn(
                            "flow {} was published, but its warnings could not be computed: {}",
                            flowId,
                            failure.getMessage());
                    return Future.succeededFuture(json);
                });
    }

    private Future<ApiReply> warnings(ApiCall call, String flowId) {
        return bus.ask(new Flows.Judge(flowId), call.deadlineMs()).map(verdict -> {
            var json = Json.object();
            var data = json.putArray("data");
            verdict.warnings().forEach(warning -> data.add(warning.toJson()));
            return ApiReply.ok(json);
        });
    }

    private Future<ApiReply> export(ApiCall call, String flowId) {
        return bus.ask(new Flows.Export(call.principal(), flowId), call.deadlineMs())
                .map(template -> ApiReply.deep(200, template));
    }

    private static Flows.FindVersions readVersions(Input input) {
        return new Flows.FindVersions(input.id("id"), input.query().page(PAGE_LIMIT));
    }

    private Future<ApiReply> versions(ApiCall call, Flows.FindVersions find) {
        return bus.ask(find, call.deadlineMs()).map(page -> ApiReply.page(page, VersionSummary::toJson));
    }

    private Future<ApiReply> delete(ApiCall call, String flowId) {
        return bus.ask(new Flows.Delete(call.principal(), flowId), call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }
}
