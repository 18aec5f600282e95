package io.millrace.piece.file;

import io.millrace.base.access.Access;
import io.millrace.base.access.Gate;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.base.net.OutboundStream;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * HTTP API for reading files (contract flows-and-engine 20.4). The token in the query is the only credential, because
 * these URLs are passed to other services.
 */
public final class FileRoutes implements RouteGroup {
    /** A signed JSON object begins with a brace; the token of one file begins with its id. */
    private static final String TOKEN_OF_CODE = "eyJ";

    private final Bus bus;
    private final Optional<ObjectStorage> objects;

    public FileRoutes(Bus bus, Optional<ObjectStorage> objects) {
        this.bus = bus;
        this.objects = objects;
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/files/:id", Access.everybody(), FileRoutes::readAddress, this::answer);
        routes.get("/v1/step-files/signed", Access.everybody(), FileRoutes::readOlderAddress, this::answer);
    }

    private static FileAddress readAddress(Input input) {
        return new FileAddress(Optional.of(input.id("id")), token(input));
    }

    private static FileAddress readOlderAddress(Input input) {
        return new FileAddress(Optional.empty(), token(input));
    }

    private static String token(Input input) {
        return input.query().optionalText("token").orElse("");
    }

    private Future<ApiReply> answer(ApiCall call, FileAddress address) {
        return find(call, address)
                .compose(place -> place.objectKey()
                        .map(key -> fromObjects(call, place.file(), key))
                        .orElseGet(() -> Future.succeededFuture(described(
                                call,
                                place.file(),
                                new ApiReply(200, place.data(), place.file().contentType())))));
    }

    /** Accepts a token of the file, or of code that works for the file's project. */
    private Future<FileMessages.FileLocation> find(ApiCall call, FileAddress address) {
        if (address.fileId().isEmpty() || !address.token().startsWith(TOKEN_OF_CODE)) {
            return bus.ask(new FileMessages.Find(address), call.deadlineMs());
        }
        return bus.ask(new Gate.Identify(address.token()), call.deadlineMs()).compose(by -> {
            if (by instanceof Principal.Engine engine) {
                var ofProject = new FileMessages.FindOfProject(
                        engine.projectId(), address.fileId().get());
                return bus.ask(ofProject, call.deadlineMs());
            }
            return Future.failedFuture(
                    ApiException.of(ErrorCode.INVALID_BEARER_TOKEN, "the token is not valid for this file"));
        });
    }

    /** Redirects the client to the storage, or streams the bytes from there. */
    private Future<ApiReply> fromObjects(ApiCall call, StoredFile file, String key) {
        if (objects.isEmpty()) {
            return Future.failedFuture(
                    ApiException.of(ErrorCode.STORAGE_UNAVAILABLE, "the storage of the file is not configured"));
        }
        return objects.get().signedUrl(key, file).compose(url -> {
            if (url.isEmpty()) {
                return streamed(call, file, objects.get().open(key));
            }
            call.context().response().putHeader("Location", url.get()).putHeader("Cache-Control", "no-store");
            return Future.succeededFuture(new ApiReply(302, null, null));
        });
    }

    private static Future<ApiReply> streamed(ApiCall call, StoredFile file, Future<OutboundStream> opened) {
        return opened.compose(stream -> {
            var response = described(call, file, call.context().response());
            response.putHeader("Content-Type", file.contentType())
                    .putHeader("Content-Length", Long.toString(file.size()));
            // The status is already sent: a broken stream of the storage can only abort the response.
            return stream.pipeTo(response, file.size())
                    .onFailure(_ -> {
                        call.context().response().reset();
                        stream.giveUp();
                    })
                    .transform(_ -> Future.succeededFuture(new ApiReply(200, null, null)));
        });
    }

    /** Sets headers that prevent a browser from executing untrusted content. */
    private static <T> T described(ApiCall call, StoredFile file, T answer) {
        call.context()
                .response()
                .putHeader("Content-Disposition", Disposition.of(file))
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Content-Security-Policy", "default-src 'none'; sandbox")
                .putHeader("Cache-Control", "private");
        return answer;
    }
}
