package io.millrace.support.outside;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.Waiting;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Server on 127.0.0.1 that answers as a test wants, and an internal one on 127.0.0.2 to which no client may be
 * redirected.
 */
public final class HostilePeer implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final HttpServer server;
    private final HttpServer inner;

    private volatile Handler<HttpServerRequest> answer =
            request -> request.response().end();

    /** True if no request has reached the latest prepared response yet. */
    private final AtomicBoolean isUnasked = new AtomicBoolean();

    /** Received requests, oldest first: method and path. */
    public final List<String> asked = new CopyOnWriteArrayList<>();

    /** Requests to the internal server: none if the client is safe. */
    public final List<String> askedInside = new CopyOnWriteArrayList<>();

    /** True once the client has closed the connection of the latest endless response. */
    public final AtomicBoolean isGivenUp = new AtomicBoolean();

    /** Bytes of endless responses that were read. */
    public final AtomicLong taken = new AtomicLong();

    public HostilePeer() {
        server = Waiting.await(vertx.createHttpServer()
                .requestHandler(request -> {
                    asked.add(request.method() + " " + request.path());
                    isUnasked.set(false);
                    answer.handle(request);
                })
                .listen(0, "127.0.0.1"));
        inner = Waiting.await(vertx.createHttpServer()
                .requestHandler(request -> {
                    askedInside.add(request.uri());
                    request.response().end("{\"access_token\":\"a\",\"result\":{},\"auth\":{\"client_token\":\"t\"}}");
                })
                .listen(0, "127.0.0.2"));
    }

    public String url() {
        return "http://127.0.0.1:" + server.actualPort();
    }

    /** Addresses to which no redirect may lead. */
    public List<String> forbidden() {
        return List.of(
                "http://127.0.0.2:" + inner.actualPort() + "/inside",
                "http://169.254.169.254/latest/meta-data/",
                "http://[::ffff:169.254.169.254]/latest/",
                "file:///etc/passwd");
    }

    /**
     * Replaces the response. Fails if no request has reached the previous one: a client that makes no calls would pass
     * every test.
     */
    public void answer(Handler<HttpServerRequest> handler) {
        assertAsked();
        answer = handler;
        isUnasked.set(true);
    }

    private void assertAsked() {
        assertThat(isUnasked.get())
                .as("hostile answer that no request reached, after %s requests", asked.size())
                .isFalse();
    }

    /** Responds with a status and a text; single quotes are replaced by double ones. */
    public void say(int status, String contentType, String text) {
        answer(request -> request.response()
                .setStatusCode(status)
                .putHeader("Content-Type", contentType)
                .end(text.replace('\'', '"')));
    }

    public void redirect(int status, String location) {
        answer(request -> request.response()
                .setStatusCode(status)
                .putHeader("Location", location)
                .end());
    }

    /** Responds with a body that begins well-formed and never ends. */
    public void sayWithoutEnd(int status) {
        isGivenUp.set(false);
        taken.set(0);
        answer(request -> {
            request.connection().closeHandler(_ -> isGivenUp.set(true));
            var response = request.response().setStatusCode(status).setChunked(true);
            response.write("{\"access_token\":\"a\",\"a\":\"");
            writeOn(response);
        });
    }

    private void writeOn(HttpServerResponse response) {
        var part = Buffer.buffer("x".repeat(64 * 1024));
        if (!isGivenUp.get()) {
            response.write(part).onSuccess(_ -> {
                taken.addAndGet(part.length());
                writeOn(response);
            });
        }
    }

    /** Begins a response that never ends. */
    public void sayTooSlowly(int status) {
        isGivenUp.set(false);
        answer(request -> {
            request.connection().closeHandler(_ -> isGivenUp.set(true));
            request.response().setStatusCode(status).setChunked(true).write("{");
        });
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
        assertAsked();
    }
}
