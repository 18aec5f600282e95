package io.millrace.base.net;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import java.util.function.Consumer;

/** Collects a response body, counting its bytes as they arrive; the connection is closed once the limit is exceeded. */
final class ResponseBodyReader {
    private ResponseBodyReader() {}

    /**
     * The body as received, still encoded. Call it in the event-loop turn in which the response arrived.
     *
     * @param receiver gets each part as it arrives
     */
    static Future<Buffer> read(HttpClientResponse response, int bytesMax, Consumer<Buffer> receiver) {
        var done = Promise.<Buffer>promise();
        var body = Buffer.buffer();
        response.exceptionHandler(done::tryFail);
        response.endHandler(_ -> done.tryComplete(body));
        response.handler(chunk -> {
            if (body.length() + chunk.length() > bytesMax) {
                abandon(response, tooLarge(bytesMax), done);
            } else {
                body.appendBuffer(chunk);
                receiver.accept(chunk);
            }
        });
        if (declaredLength(response) > bytesMax) {
            abandon(response, tooLarge(bytesMax), done);
        }
        return done.future();
    }

    static OutboundFailure tooLarge(int bytesMax) {
        return new OutboundFailure(
                OutboundFailure.Kind.BODY_TOO_LARGE,
                "the response body is larger than the limit of " + bytesMax + " bytes");
    }

    private static void abandon(HttpClientResponse response, OutboundFailure failure, Promise<Buffer> done) {
        if (done.tryFail(failure)) {
            response.handler(_ -> {});
            response.request().reset();
        }
    }

    private static long declaredLength(HttpClientResponse response) {
        var declared = response.getHeader(HttpHeaders.CONTENT_LENGTH);
        var bodiless = response.request().getMethod().name().equals("HEAD");
        return declared == null || bodiless || !declared.matches("\\d{1,18}") ? -1 : Long.parseLong(declared);
    }
}
