package io.millrace.piece.feed;

import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.OutboundResponse;
import io.millrace.base.net.WebAddress;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/** Client of a piece list, in the format of compatible servers (contract flows-and-engine 29). */
final class FeedDownload {
    private static final long TIMEOUT_MS = 60_000;
    private static final int REDIRECTS_MAX = 3;
    private static final int NOT_MODIFIED = 304;
    private static final int OK = 200;

    private final OutboundHttp outbound;
    private final String release;
    private final int bytesMax;

    sealed interface Answer {
        record Changed(Optional<String> etag, Buffer content) implements Answer {}

        record Unchanged() implements Answer {}
    }

    /**
     * Creates a client of the feed.
     *
     * @param release release of this server, with which listed pieces must be compatible
     */
    FeedDownload(OutboundHttp outbound, String release, int bytesMax) {
        this.outbound = outbound;
        this.release = release;
        this.bytesMax = bytesMax;
    }

    Future<Answer> fetch(String address, Optional<String> etag) {
        var request = OutboundRequest.of("GET", asked(address))
                .withHeader("Accept", "application/json")
                .withTimeoutMs(TIMEOUT_MS)
                .withBodyBytesMax(bytesMax)
                .followingRedirects(REDIRECTS_MAX);
        return outbound.send(etag.map(tag -> request.withHeader("If-None-Match", tag))
                        .orElse(request))
                .map(FeedDownload::answer);
    }

    private WebAddress asked(String address) {
        var target = WebAddress.parse(address);
        return target.target().contains("?")
                ? target
                : WebAddress.parse(address + "?includeTags=true&suggestionType=ACTION_AND_TRIGGER&release=" + release);
    }

    private static Answer answer(OutboundResponse response) {
        return switch (response.status()) {
            case NOT_MODIFIED -> new Answer.Unchanged();
            case OK -> new Answer.Changed(Optional.ofNullable(response.headers().get("etag")), response.body());
            default -> throw new IllegalStateException("expected status 200 or 304, found " + response.status());
        };
    }
}
