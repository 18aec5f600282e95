package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundFailure;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundResponse;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.ApiMessage;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.builtin.http.HttpFileName;
import io.millrace.piece.builtin.http.HttpReply;
import io.vertx.core.Future;
import java.util.List;

/** An action that sends one described request, or the requests of all pages. */
final class OpenApiAction implements Action {
    private static final int FAILURES_FROM = 400;
    private static final int SHOWN_BODY_LENGTH_MAX = 4_000;

    private final OutboundHttp http;
    private final ActionSpec spec;
    private final RequestPlan plan;
    private final JsonNode stored;

    /** @param stored the part of the stored description with schemes and places */
    OpenApiAction(OutboundHttp http, ActionSpec spec, RequestPlan plan, JsonNode stored) {
        this.http = http;
        this.spec = spec;
        this.plan = plan;
        this.stored = stored;
    }

    @Override
    public ActionSpec spec() {
        return spec;
    }

    @Override
    public Future<JsonNode> run(StepContext context) {
        return Future.succeededFuture().compose(_ -> {
            var server = ConnectionAddress.of(plan.server(), stored, context.auth());
            var credentials = RequestCredentials.of(plan, stored, context.auth());
            var pages = plan.pages()
                    .filter(given -> context.props().path(given.allProp()).asBoolean());
            return pages.isPresent()
                    ? collect(context, server, credentials, pages.get())
                    : send(context, server, credentials, List.of()).compose(response -> output(context, response));
        });
    }

    private Future<JsonNode> collect(
            StepContext context, String server, RequestCredentials credentials, RequestPlan.Pages pages) {
        var wanted = context.props().path(pages.itemsProp()).asInt(PageCollector.ITEMS_DEFAULT);
        var itemsMax = Math.clamp(wanted, 1, PageCollector.ITEMS_MAX);
        return new PageCollector(pages.pagination(), itemsMax, query -> send(context, server, credentials, query))
                .collect();
    }

    private Future<OutboundResponse> send(
            StepContext context, String server, RequestCredentials credentials, List<String> more) {
        var written =
                RequestWriter.write(plan.at(server), context.props(), credentials, context.idempotencyKey(), more);
        return http.fencedBy(context::fence)
                .send(written.request().withTimeoutMs(Math.max(1, context.remainingMs())))
                .recover(cause -> Future.failedFuture(
                        cause instanceof OutboundFailure failure ? unanswered(failure, written.shownUrl()) : cause))
                .compose(response -> response.status() < FAILURES_FROM
                        ? Future.succeededFuture(response)
                        : Future.failedFuture(refused(response, written.shownUrl())));
    }

    private PieceFailure unanswered(OutboundFailure failure, String url) {
        var details = Json.object()
                .put("errorName", failure.errorName())
                .put("requestUrl", url)
                .put("requestMethod", plan.method());
        return PieceFailure.of(failure.getMessage(), details);
    }

    private PieceFailure refused(OutboundResponse response, String url) {
        var body = HttpReply.body(response);
        var details = Json.object().put("status", response.status());
        details.set("responseBody", shortened(body));
        details.set("responseHeaders", HttpReply.maskedHeaders(response));
        details.put("requestUrl", url).put("requestMethod", plan.method());
        var message = ApiMessage.in(body);
        if (!message.isEmpty()) {
            details.put("apiMessage", message);
        }
        return PieceFailure.of(
                message.isEmpty() ? "Request failed with status code " + response.status() : message, details);
    }

    private static JsonNode shortened(JsonNode body) {
        var text = ParameterStyle.text(body);
        return text.length() <= SHOWN_BODY_LENGTH_MAX
                ? body
                : TextNode.valueOf(Texts.shortened(text, SHOWN_BODY_LENGTH_MAX));
    }

    /** JSON and text are the output; bytes become a file; a response without a body is its status. */
    private static Future<JsonNode> output(StepContext context, OutboundResponse response) {
        if (response.body() == null || response.body().length() == 0) {
            return Future.succeededFuture(Json.object().put("status", response.status()));
        }
        var type = HttpReply.mediaType(response);
        var isText = type.isEmpty() || !MediaTypes.formOf(type).equals("binary");
        if (isText && HttpReply.received(response).isPresent()) {
            return Future.succeededFuture(HttpReply.body(response));
        }
        var fileName = HttpFileName.of(response);
        return context.writeFile(fileName, response.body()).map(url -> file(url, fileName, type, response));
    }

    private static ObjectNode file(String url, String fileName, String type, OutboundResponse response) {
        return Json.object()
                .put("fileUrl", url)
                .put("fileName", fileName)
                .put("contentType", type)
                .put("bytes", response.body().length());
    }
}
