package io.millrace.base.http.body;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.text.ShownText;
import io.netty.handler.codec.DecoderException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives the bodies of requests: within the limit of each, within the budget of all, and large ones only after their sender
 * is admitted. A refusal is sent at once; data that arrives after it is dropped, and the connection is closed.
 */
public final class BodyReception {
    private static final Logger LOG = LoggerFactory.getLogger(BodyReception.class);

    /** Time for a caller that is still sending to read that its body is refused. */
    private static final long LINGER_MS = 2_000;

    /** The HTTP library undoes chunks; it would hand a packed transfer over as the body (RFC 9112, 6.1). */
    private static final Pattern UNDONE_TRANSFERS = Pattern.compile("(?i)[\\s,]*(?:(?:chunked|identity)[\\s,]*)+");

    private static final int CODING_SHOWN_MAX = 100;

    /** Overhead of a form decoder and a file collector for each piece, at any size. */
    private static final int FORM_PIECE_BYTES = 256;

    private static final String PERMIT = "bodyPermit";

    private final BodyBudget budget;
    private final BodySpool spool;
    private final long freelyBytesMax;

    /** @param freelyBytesMax above this size the caller is authenticated before the body is read */
    public BodyReception(BodyBudget budget, BodySpool spool, long freelyBytesMax) {
        this.budget = budget;
        this.spool = spool;
        this.freelyBytesMax = freelyBytesMax;
    }

    static boolean brings(HttpServerRequest request) {
        return request.headers().contains(HttpHeaders.CONTENT_LENGTH)
                || request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
    }

    /**
     * The request's share of the budget, for handlers that need more memory for its body. Freed when the request is answered
     * or its caller disconnects.
     */
    public BodyBudget.Permit permit(RoutingContext context) {
        BodyBudget.Permit permit = context.get(PERMIT);
        if (permit == null) {
            var begun = budget.permit();
            context.put(PERMIT, begun);
            context.addEndHandler(_ -> begun.free());
            return begun;
        }
        return permit;
    }

    /**
     * The whole body.
     *
     * @param mayBeLarge called once, before more is read than an unknown caller may send; its failure is the refusal
     */
    public Future<byte[]> bytes(RoutingContext context, long bytesMax, Supplier<Future<?>> mayBeLarge) {
        var request = context.request();
        if (!brings(request)) {
            return Future.succeededFuture(new byte[0]);
        }
        var declared = declaredLength(request);
        var body = new BodyBytes(Math.min(declared, bytesMax));
        return new Arrival(context, bytesMax, mayBeLarge, 0, body::append)
                .begin(declared)
                .map(_ -> body.take());
    }

    /**
     * The whole body; on disk when it is large.
     *
     * @param memoryBytesMax largest body that is kept in memory
     * @param mayBeLarge as for {@link #bytes}
     */
    public Future<ReceivedBody> received(
            RoutingContext context, long bytesMax, long memoryBytesMax, Supplier<Future<?>> mayBeLarge) {
        var declared = declaredLength(context.request());
        var body = new ReceivedBody(spool, memoryBytesMax, declared > memoryBytesMax ? 0 : declared);
        if (!brings(context.request())) {
            return Future.succeededFuture(body);
        }
        var arrival = new Arrival(context, bytesMax, mayBeLarge, 0, body::append);
        arrival.spooled = body;
        return arrival.begin(declared).map(body);
    }

    /**
     * The fields of a form, in the attributes of the request; files go to the request's upload handler. Fails as
     * INVALID_INPUT when it is not a form.
     */
    public Future<Void> form(RoutingContext context, long bytesMax, Supplier<Future<?>> mayBeLarge) {
        var request = context.request();
        try {
            request.setExpectMultipart(true);
        } catch (DecoderException | IllegalStateException malformed) {
            return Future.failedFuture(malformed());
        }
        // The decoder keeps a field, and it is copied once more from there.
        return new Arrival(context, bytesMax, mayBeLarge, FORM_PIECE_BYTES, _ -> {}).begin(declaredLength(request));
    }

    private static long declaredLength(HttpServerRequest request) {
        var text = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        try {
            return text == null ? 0 : Math.max(0, Long.parseLong(text.strip()));
        } catch (NumberFormatException malformed) {
            return 0;
        }
    }

    /** Stays on the event loop of its connection. */
    private final class Arrival {
        private final RoutingContext context;
        private final HttpServerRequest request;
        private final long bytesMax;
        private final Supplier<Future<?>> mayBeLarge;
        private final int pieceBytes;
        private final Consumer<Buffer> sink;
        private final Promise<Void> whole = Promise.promise();
        private long received;
        private long taken;
        private boolean mayGoOn;

        /** Spool file of a body that may be written to disk; else null. */
        private ReceivedBody spooled;

        private long onDisk;

        Arrival(
                RoutingContext context,
                long bytesMax,
                Supplier<Future<?>> mayBeLarge,
                int pieceBytes,
                Consumer<Buffer> sink) {
            this.context = context;
            this.request = context.request();
            this.bytesMax = bytesMax;
            this.mayBeLarge = mayBeLarge;
            this.pieceBytes = pieceBytes;
            this.sink = sink;
        }

        Future<Void> begin(long declared) {
            if (declared > bytesMax) {
                refuse(tooLarge());
                return whole.future();
            }
            var coding = request.getHeader(HttpHeaders.TRANSFER_ENCODING);
            if (coding != null && !UNDONE_TRANSFERS.matcher(coding).matches()) {
                refuse(ApiException.of(
                        ErrorCode.INVALID_INPUT,
                        "headers/transfer-encoding expected chunked, found " + ShownText.of(coding, CODING_SHOWN_MAX)));
                return whole.future();
            }
            request.handler(this::arrived);
            request.exceptionHandler(_ -> whole.tryFail(malformed()));
            request.endHandler(_ -> whole.tryComplete());
            if (declared > freelyBytesMax) {
                look(() -> expect(declared));
            } else {
                expect(declared);
            }
            return whole.future();
        }

        /** Reserves the announced length before the first byte, and sends 100 Continue to a caller that expects it. */
        private void expect(long declared) {
            try {
                if (spooled != null && declared > spooled.memoryBytesMax()) {
                    toDisk(declared);
                } else {
                    take(declared);
                }
            } catch (ApiException refusal) {
                refuse(refusal);
                return;
            }
            var expectation = request.getHeader(HttpHeaders.EXPECT);
            if (expectation == null) {
                return;
            }
            if (expectation.equalsIgnoreCase("100-continue")) {
                request.response().writeContinue();
            } else {
                refuse(malformed());
            }
        }

        private void arrived(Buffer piece) {
            if (whole.future().isComplete()) {
                return;
            }
            received += piece.length();
            if (received > bytesMax) {
                refuse(tooLarge());
                return;
            }
            try {
                take(piece);
            } catch (ApiException refusal) {
                refuse(refusal);
                return;
            }
            sink.accept(piece);
            if (received > freelyBytesMax && !mayGoOn) {
                look(() -> {});
            } else if (spooled != null && spooled.isFull()) {
                write();
            }
        }

        /** From here on the body is on disk, and only the next part to write is in memory. */
        private void toDisk(long bytes) {
            if (onDisk == 0) {
                context.addEndHandler(_ -> spooled.close());
            }
            spooled.announce(bytes);
            onDisk += bytes;
            if (taken > ReceivedBody.BATCH_BYTES) {
                permit(context).give(taken - ReceivedBody.BATCH_BYTES);
                taken = ReceivedBody.BATCH_BYTES;
            } else {
                take(ReceivedBody.BATCH_BYTES - taken);
            }
        }

        /** Reading is paused meanwhile. */
        private void write() {
            try {
                if (received > onDisk) {
                    toDisk(Math.max(received - onDisk, Math.min(received, bytesMax - onDisk)));
                }
            } catch (ApiException refusal) {
                refuse(refusal);
                return;
            }
            request.pause();
            context.vertx()
                    .executeBlocking(spooled::flush, false)
                    .onFailure(this::unwritten)
                    .onComplete(_ -> request.resume());
        }

        /** A file that was closed because its caller has disconnected is not a disk failure. */
        private void unwritten(Throwable failure) {
            if (!whole.future().isComplete() && !context.response().closed()) {
                LOG.warn("cannot spool a request body to disk", failure);
            }
            refuse(ApiException.of(ErrorCode.UNAVAILABLE, "the disk is too full for the request body"));
        }

        private void take(Buffer piece) {
            if (onDisk > 0) {
                return;
            }
            if (pieceBytes > 0) {
                permit(context).take(piece.length() + (long) pieceBytes);
            } else if (received > taken) {
                // In steps, because a body without a length arrives in many pieces.
                take(Math.max(received - taken, Math.min(received, BodyBudget.SMALL_BYTES)));
            }
        }

        private void take(long bytes) {
            if (bytes > 0) {
                permit(context).take(bytes);
                taken += bytes;
            }
        }

        /** Checks that the sender may send a large body; reading is paused meanwhile. */
        private void look(Runnable then) {
            mayGoOn = true;
            request.pause();
            mayBeLarge
                    .get()
                    .onSuccess(_ -> {
                        then.run();
                        request.resume();
                    })
                    .onFailure(refusal -> {
                        refuse(refusal);
                        request.resume();
                    });
        }

        /** Drops the rest. The decoder is removed, since it would continue to collect it. */
        private void refuse(Throwable refusal) {
            if (whole.future().isComplete()) {
                return;
            }
            if (request.isExpectMultipart() && !request.isEnded()) {
                request.setExpectMultipart(false);
            }
            hangUpAfterwards(context);
            whole.tryFail(refusal);
        }
    }

    /**
     * Ends the connection some time after the answer: a caller that is still sending would not read an answer that arrives
     * together with the close, and one that never stops must not keep the connection.
     */
    public static void hangUpAfterwards(RoutingContext context) {
        var response = context.response();
        if (context.request().isEnded() || response.ended() || response.closed()) {
            return;
        }
        var connection = context.request().connection();
        if (!response.headWritten()) {
            response.putHeader("Connection", "close");
        }
        context.addEndHandler(_ -> context.vertx().setTimer(LINGER_MS, _ -> connection.close()));
    }

    private static ApiException tooLarge() {
        return ApiException.of(ErrorCode.BODY_TOO_LARGE, "Request body is too large");
    }

    private static ApiException malformed() {
        return ApiException.of(ErrorCode.INVALID_INPUT, "body/ The request is malformed");
    }
}
