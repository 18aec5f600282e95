package io.millrace.engine.run.step;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.net.OutboundFailure;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.OutboundResponse;
import io.millrace.base.net.WebAddress;
import io.millrace.piece.file.FileAddress;
import io.millrace.piece.file.FileMessages;
import io.millrace.piece.input.FileFetcher;
import io.millrace.piece.input.FileNames;
import io.millrace.piece.input.FileValue;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Reads files that a step's input refers to by URL (contract flows-and-engine 8.5): this server's own from storage,
 * because the guard refuses the server's own network; all others through the guarded client.
 */
final class StepFileFetcher implements FileFetcher {
    private static final long OWN_DEADLINE_MS = 30_000;
    private static final long OTHERS_DEADLINE_MS = 120_000;

    private final Bus bus;
    private final OutboundHttp outbound;
    private final Supplier<String> publicUrl;
    private final long bytesMax;

    StepFileFetcher(Bus bus, OutboundHttp outbound, Supplier<String> publicUrl, long bytesMax) {
        this.bus = bus;
        this.outbound = outbound;
        this.publicUrl = publicUrl;
        this.bytesMax = bytesMax;
    }

    @Override
    public Future<Optional<FileValue>> fetch(String url) {
        return FileAddress.parse(publicUrl.get(), url).map(this::own).orElseGet(() -> others(url));
    }

    private Future<Optional<FileValue>> own(FileAddress address) {
        return bus.ask(new FileMessages.Read(address), OWN_DEADLINE_MS)
                .map(content -> Optional.of(allowed(valueOf(content.file().fileName(), content.data()))))
                .recover(StepFileFetcher::nothingWhenRefused);
    }

    /** A deleted or forbidden file is a missing value; unavailable storage is a failure. */
    private static Future<Optional<FileValue>> nothingWhenRefused(Throwable failure) {
        var refused = failure instanceof ApiException answer
                && (answer.code() == ErrorCode.ENTITY_NOT_FOUND || answer.code() == ErrorCode.INVALID_BEARER_TOKEN);
        return refused ? Future.succeededFuture(Optional.empty()) : Future.failedFuture(failure);
    }

    private Future<Optional<FileValue>> others(String url) {
        WebAddress address;
        try {
            address = WebAddress.parse(url);
        } catch (IllegalArgumentException malformed) {
            return Future.succeededFuture(Optional.empty());
        }
        var request = OutboundRequest.of("GET", address)
                .followingRedirects(OutboundLimits.REDIRECTS_MAX)
                .withTimeoutMs(OTHERS_DEADLINE_MS);
        return outbound.send(request)
                .compose(response -> fileIn(address, response))
                .recover(this::nothingUnlessTooLarge);
    }

    private Future<Optional<FileValue>> fileIn(WebAddress asked, OutboundResponse response) {
        if (response.status() < 200 || response.status() > 299) {
            return Future.succeededFuture(Optional.empty());
        }
        var name = FileNames.of(
                response.headers().get("Content-Disposition"),
                asked.target().split("\\?", 2)[0],
                response.headers().get("Content-Type"));
        return Future.succeededFuture(Optional.of(allowed(valueOf(name, response.body()))));
    }

    private FileValue allowed(FileValue file) {
        requireAllowed(file);
        return file;
    }

    @Override
    public void requireAllowed(FileValue held) {
        if (held.data().length() > bytesMax) {
            throw NamedFailure.fileSize(OptionalLong.of(held.data().length()), bytesMax);
        }
    }

    private Future<Optional<FileValue>> nothingUnlessTooLarge(Throwable failure) {
        if (!(failure instanceof OutboundFailure refused)) {
            return Future.failedFuture(failure);
        }
        return refused.kind() == OutboundFailure.Kind.BODY_TOO_LARGE
                ? Future.failedFuture(NamedFailure.fileSize(OptionalLong.empty(), bytesMax))
                : Future.succeededFuture(Optional.empty());
    }

    private static FileValue valueOf(String name, Buffer data) {
        return new FileValue(name, FileNames.extensionOfName(name), data);
    }
}
