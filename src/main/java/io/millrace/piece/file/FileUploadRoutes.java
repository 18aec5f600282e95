package io.millrace.piece.file;

import io.millrace.base.access.Gate;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.coding.Zstd;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.base.http.body.BodyReception;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;

/**
 * Writing files over HTTP (contract flows-and-engine 20.4): code that works for a project authenticates with its token,
 * here or, with signed URLs, by a redirect to the object storage. No byte is accepted before authentication.
 */
public final class FileUploadRoutes implements RouteGroup {
    private static final long DEADLINE_MS = 60_000;

    private final Bus bus;
    private final long bytesMax;
    private final boolean redirects;

    /**
     * Creates the routes.
     *
     * @param bytesMax largest file (AP_MAX_FILE_SIZE_MB)
     * @param redirects true if callers upload directly to the object storage (AP_S3_USE_SIGNED_URLS)
     */
    public FileUploadRoutes(Bus bus, long bytesMax, boolean redirects) {
        this.bus = bus;
        this.bytesMax = bytesMax;
        this.redirects = redirects;
    }

    @Override
    public void mount(Routes routes) {
        routes.rawPut("/v1/files/:id", context -> receive(context, routes.bodies()));
    }

    private void receive(RoutingContext context, BodyReception bodies) {
        var request = context.request();
        request.pause();
        projectOf(request.getParam("token", ""))
                .compose(projectId -> {
                    var upload = UploadRequest.read(context.pathParam("id"), request.headers());
                    upload.size().ifPresent(size -> checkSize(size));
                    // A direct upload would store the compressed bytes and return them to readers that expect the file.
                    return redirects && !upload.packed()
                            ? sentAway(context, projectId, upload)
                            : taken(context, bodies, projectId, upload);
                })
                .onFailure(failure -> refuse(context, failure));
    }

    private Future<String> projectOf(String token) {
        return bus.ask(new Gate.Identify(token), DEADLINE_MS).map(by -> {
            if (by instanceof Principal.Engine engine) {
                return engine.projectId();
            }
            throw ApiException.of(ErrorCode.INVALID_BEARER_TOKEN, "expected the token of a project's code");
        });
    }

    private Future<Void> taken(RoutingContext context, BodyReception bodies, String projectId, UploadRequest upload) {
        return body(context, bodies)
                .compose(data -> upload.packed() ? unpacked(context.vertx(), data) : Future.succeededFuture(data))
                .compose(data -> bus.ask(new FileMessages.KeepUpload(projectId, upload, data), DEADLINE_MS))
                .map(url -> {
                    context.response().putHeader("x-ap-file-read-url", url);
                    var answer = Json.object().put("fileId", upload.fileId()).put("readUrl", url);
                    ApiReply.ok(answer).sendTo(context);
                    return null;
                });
    }

    private Future<Void> sentAway(RoutingContext context, String projectId, UploadRequest upload) {
        return bus.ask(new FileMessages.PlaceUpload(projectId, upload), DEADLINE_MS)
                .compose(target -> {
                    context.response()
                            .putHeader("x-ap-file-read-url", target.readUrl())
                            .putHeader("Location", target.uploadUrl())
                            .putHeader("Cache-Control", "no-store");
                    new ApiReply(307, null, null).sendTo(context);
                    // The remaining request body is discarded, because the client sends it to the storage.
                    context.request().resume();
                    return Future.succeededFuture();
                });
    }

    private Future<Buffer> body(RoutingContext context, BodyReception bodies) {
        var read = bodies.bytes(context, bytesMax, Future::succeededFuture)
                .recover(refusal -> Future.failedFuture(
                        refusal instanceof ApiException refused && refused.code() == ErrorCode.BODY_TOO_LARGE
                                ? tooLarge()
                                : refusal))
                .map(Buffer::buffer);
        context.request().resume();
        return read;
    }

    private Future<Buffer> unpacked(Vertx vertx, Buffer data) {
        return vertx.executeBlocking(
                () -> Buffer.buffer(
                        Zstd.unpacked(data.getBytes(), (int) Math.min(bytesMax, Integer.MAX_VALUE - Long.BYTES))),
                false);
    }

    private void checkSize(long size) {
        if (size > bytesMax) {
            throw tooLarge();
        }
    }

    private ApiException tooLarge() {
        return ApiException.of(ErrorCode.BODY_TOO_LARGE, "Expected a file of at most " + bytesMax + " bytes");
    }

    private static void refuse(RoutingContext context, Throwable failure) {
        BodyReception.hangUpAfterwards(context);
        context.fail(failure);
        context.request().resume();
    }
}
