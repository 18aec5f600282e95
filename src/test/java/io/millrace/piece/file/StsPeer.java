package io.millrace.piece.file;

import io.millrace.support.Waiting;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Token service on 127.0.0.1 that issues a role's key, valid for one hour, for any token. */
final class StsPeer implements AutoCloseable {
    static final String ROLE = "arn:aws:iam::123456789012:role/mill";

    private final Vertx vertx = Vertx.vertx();
    private final HttpServer server;
    private final InstantSource clock;

    /** Received tokens, oldest first. */
    final List<String> tokens = new CopyOnWriteArrayList<>();

    volatile boolean refuses;

    /** Responses wait for it. */
    volatile Promise<Void> gate = opened();

    StsPeer(InstantSource clock) {
        this.clock = clock;
        server = Waiting.await(
                vertx.createHttpServer().requestHandler(this::receive).listen(0, "127.0.0.1"));
    }

    private static Promise<Void> opened() {
        var gate = Promise.<Void>promise();
        gate.complete();
        return gate;
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.actualPort();
    }

    private void receive(HttpServerRequest request) {
        request.setExpectMultipart(true).end().compose(_ -> gate.future()).onSuccess(_ -> {
            var form = request.formAttributes();
            var isRefused = refuses;
            tokens.add(String.valueOf(form.get("WebIdentityToken")));
            var isAsked = "AssumeRoleWithWebIdentity".equals(form.get("Action"))
                    && "2011-06-15".equals(form.get("Version"))
                    && ROLE.equals(form.get("RoleArn"))
                    && "3600".equals(form.get("DurationSeconds"))
                    && form.get("RoleSessionName") != null;
            var response = request.response();
            if (isRefused || !isAsked) {
                response.setStatusCode(403).end("""
                        <ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
                          <Error><Code>AccessDenied</Code><Message>Not allowed</Message></Error>
                        </ErrorResponse>""");
            } else {
                response.end("""
                        <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
                          <AssumeRoleWithWebIdentityResult><Credentials>
                            <SessionToken>session %1$d</SessionToken>
                            <SecretAccessKey>%2$s</SecretAccessKey>
                            <Expiration>%3$s</Expiration>
                            <AccessKeyId>ASIA%1$d</AccessKeyId>
                          </Credentials></AssumeRoleWithWebIdentityResult>
                        </AssumeRoleWithWebIdentityResponse>""".formatted(
                                tokens.size(), S3Peer.SECRET, clock.instant().plus(Duration.ofHours(1))));
            }
        });
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
    }
}
