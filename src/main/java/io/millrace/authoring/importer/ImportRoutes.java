package io.millrace.authoring.importer;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.folder.FolderRoutes;
import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.util.Optional;

/** Imports of workflows of other products over HTTP. */
public final class ImportRoutes implements RouteGroup {
    /** Timeout for the creation of the flows of one request. */
    private static final long IMPORT_MS_MAX = 300_000;

    private final Bus bus;

    public ImportRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.postDeep(
                "/v1/flows/import/n8n",
                Access.projectInBody(Permission.WRITE_FLOW),
                ImportRequest::read,
                this::importN8n);
    }

    private record ImportRequest(JsonNode workflows, Optional<String> folder, boolean dryRun) {
        static ImportRequest read(Input input) {
            var body = input.body();
            body.text("projectId", Ids.PATTERN);
            return new ImportRequest(
                    body.container("workflows"),
                    body.isAbsent("folder") ? Optional.empty() : Optional.of(FolderRoutes.name(body, "folder")),
                    body.optionalFlag("dryRun").orElse(false));
        }
    }

    private Future<ApiReply> importN8n(ApiCall call, ImportRequest request) {
        var ask = new WorkflowImports.ImportN8n(
                call.principal(), call.projectId(), request.workflows(), request.folder(), request.dryRun());
        return bus.ask(ask, IMPORT_MS_MAX).map(result -> ApiReply.deep(200, result));
    }
}
