package io.millrace.base.http.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Access;
import io.millrace.base.core.ApiException;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Serves the API document, as JSON and as pages that need no other files, and schemas of it for editors.
 *
 * <p>The document is converted once, at the first request: parsing it would delay every start, and few servers serve it.
 */
public final class ApiDocumentRoutes implements RouteGroup {
    private final AtomicReference<Future<ReadyResponses>> served = new AtomicReference<>();

    private record ReadyResponses(
            ApiReply json, ApiPages pages, String pagePolicy, ApiReply flowSchema, ApiReply projectSchema) {
        static ReadyResponses make() {
            var document = ApiDocument.load();
            var style = ApiDocument.style();
            var script = ApiDocument.script();
            return new ReadyResponses(
                    ApiReply.ok(document),
                    new ApiPages(document, style, script),
                    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self';"
                            + " style-src 'sha256-" + hash(style) + "'; script-src 'sha256-" + hash(script) + "'",
                    schema(document, "FlowDefinition"),
                    schema(document, "ProjectDefinition"));
        }
    }

    private static ApiReply schema(ObjectNode document, String name) {
        return ApiReply.ok(PublishedSchema.of(document, name));
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/openapi.json", Access.everybody(), _ -> true, (call, _) -> answer(call, ReadyResponses::json));
        routes.get(
                "/v1/schemas/flow.json",
                Access.everybody(),
                _ -> true,
                (call, _) -> answer(call, ReadyResponses::flowSchema));
        routes.get(
                "/v1/schemas/project.json",
                Access.everybody(),
                _ -> true,
                (call, _) -> answer(call, ReadyResponses::projectSchema));
        routes.get(
                "/v1/docs",
                Access.everybody(),
                _ -> true,
                (call, _) -> page(call, pages -> Optional.of(pages.index())));
        routes.get(
                "/v1/docs/:operationId",
                Access.everybody(),
                input -> input.parameter("operationId"),
                (call, id) -> page(call, pages -> pages.operation(id)));
        routes.get(
                "/v1/docs/schemas/:name",
                Access.everybody(),
                input -> input.parameter("name"),
                (call, name) -> page(call, pages -> pages.schema(name)));
    }

    private Future<ApiReply> page(ApiCall call, Function<ApiPages, Optional<String>> content) {
        return answer(call, served -> {
            var page = content.apply(served.pages())
                    .orElseThrow(
                            () -> ApiException.notFound("page", call.context().normalizedPath()));
            call.context()
                    .response()
                    .putHeader("Content-Security-Policy", served.pagePolicy())
                    .putHeader("X-Content-Type-Options", "nosniff");
            return new ApiReply(200, Buffer.buffer(page), "text/html; charset=utf-8");
        });
    }

    private Future<ApiReply> answer(ApiCall call, Function<ReadyResponses, ApiReply> part) {
        return served(call.context().vertx()).map(part);
    }

    /** One instance may serve several event loops; at worst two of them convert at the same time. */
    private Future<ReadyResponses> served(Vertx vertx) {
        var present = served.get();
        if (present != null) {
            return present;
        }
        return vertx.executeBlocking(ReadyResponses::make, false)
                .onSuccess(made -> served.compareAndSet(null, Future.succeededFuture(made)));
    }

    private static String hash(String text) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
