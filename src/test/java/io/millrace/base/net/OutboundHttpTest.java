package io.millrace.base.net;

import static io.millrace.base.net.LocalServer.failure;
import static io.millrace.base.net.LocalServer.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.net.OutboundFailure.Kind;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutboundHttpTest extends OutboundCalls {
    @Test
    void sendsMethodTargetHeadersAndBody() {
        var server = LocalServer.start(
                vertx,
                request -> request.body()
                        .onSuccess(body -> request.response()
                                .setStatusCode(201)
                                .putHeader("X-Answer", "yes")
                                .end(request.getHeader("X-Mine") + "|" + request.getHeader("Host") + "|" + body)));

        var response = result(http.send(OutboundRequest.of("PUT", address(server, "/a?b=c"))
                .withHeader("X-Mine", "é")
                .withBody(Buffer.buffer("hello"))));

        assertThat(server.asked()).containsExactly("PUT /a?b=c");
        assertThat(response.status()).isEqualTo(201);
        assertThat(response.headers().get("x-answer")).isEqualTo("yes");
        assertThat(response.body().toString()).isEqualTo("é|127.0.0.1:" + server.port() + "|hello");
    }

    @Test
    void sendsUserInformationAsBasicAuthorization() {
        var server = LocalServer.start(vertx, request -> request.response().end(request.getHeader("Authorization")));

        var url = "http://us%40er:pass@127.0.0.1:" + server.port();
        var response = result(http.send(OutboundRequest.of("GET", WebAddress.parse(url))));

        assertThat(response.body().toString()).isEqualTo("Basic dXNAZXI6cGFzcw==");
    }

    @Test
    void letsTheAuthorNameAnotherVirtualHost_atTheSameAddress() {
        var server = LocalServer.start(
                vertx,
                request -> request.response()
                        .end(String.join(",", request.headers().getAll("Host"))));

        var response = result(http.send(get(server, "/").withHeader("host", "virtual.test")));

        assertThat(response.body().toString()).isEqualTo("virtual.test");
    }

    @Test
    void callsAnIpv6Address_thatTheListAllows() {
        var server = vertx.createHttpServer()
                .requestHandler(request -> request.response().end(request.getHeader("Host")))
                .listen(0, "::1");
        Assumptions.assumeTrue(LocalServer.succeeds(server), "this host has IPv6");
        var port = result(server).actualPort();
        var allowing = new OutboundHttp(vertx, AddressGuard.allowing("::1/128"), LIMITS);

        var url = WebAddress.parse("http://[0:0::1]:" + port + "/");

        assertThat(result(allowing.send(OutboundRequest.of("GET", url))).body().toString())
                .isEqualTo("[::1]:" + port);
        blocked(http.send(OutboundRequest.of("GET", url)));
    }

    @Test
    void keepsConnectionsOpen() {
        Set<Integer> ports = ConcurrentHashMap.newKeySet();
        var server = LocalServer.start(vertx, request -> {
            ports.add(request.remoteAddress().port());
            request.response().end("x");
        });

        for (var i = 0; i < 20; i++) {
            result(http.send(get(server, "/")));
        }

        // Two connections, because a response can be read a moment before its connection is back in the pool.
        assertThat(ports).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void opensNoMoreConnectionsThanTheLimit() {
        Set<Integer> ports = ConcurrentHashMap.newKeySet();
        var server = LocalServer.start(vertx, request -> {
            ports.add(request.remoteAddress().port());
            vertx.setTimer(5, _ -> request.response().end("x"));
        });

        result(Future.all(java.util.stream.Stream.generate(() -> http.send(get(server, "/")))
                .limit(40)
                .toList()));

        assertThat(ports).hasSizeLessThanOrEqualTo(LIMITS.connectionsPerOriginMax());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.2:1/",
                "http://10.0.0.1/",
                "http://169.254.169.254/latest/meta-data/",
                "http://0/",
                "http://2852039166/",
                "http://0x7f000002/",
                "http://127.2/",
                "http://[::1]/",
                "http://[::ffff:10.0.0.1]/",
                "http://[fd00:ec2::254]/",
                "http://example.com@10.0.0.1/",
                "https://192.168.1.1./"
            })
    void refusesEverySpellingOfAPrivateAddress(String url) {
        var failure = blocked(http.send(OutboundRequest.of("GET", WebAddress.parse(url))));

        assertThat(failure.errorName()).isEqualTo("SSRFBlockedError");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST", "localhost."})
    void refusesANameThatResolvesToLoopback(String name) {
        var server = LocalServer.start(vertx, request -> request.response().end());
        var strict = new OutboundHttp(vertx, AddressGuard.strict(), LIMITS);

        var url = WebAddress.parse("http://" + name + ":" + server.port() + "/secret?token=t");
        var failure = blocked(strict.send(OutboundRequest.of("GET", url)));

        assertThat(failure).hasMessageContaining("localhost").hasMessageContaining("(127.0.0.1)");
        assertThat(failure.getMessage()).doesNotContain("secret").doesNotContain("token");
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void connectsOnlyToTheAddressesThatPassed_whenANameHasSeveral() {
        var server = LocalServer.start(vertx, request -> request.response().end(request.getHeader("Host")));
        var mixed = resolving(
                Map.of("mixed.test", List.of("10.0.0.1", "127.0.0.1"), "bad.test", List.of("10.0.0.1", "::1")));

        var passed = result(mixed.send(OutboundRequest.of("GET", named("mixed.test", server))));

        assertThat(passed.body().toString()).isEqualTo("mixed.test:" + server.port());
        blocked(mixed.send(OutboundRequest.of("GET", named("bad.test", server))));
    }

    @Test
    void connectsToTheAnswerThatWasJudged_whenALaterAnswerDiffers() {
        var server = LocalServer.start(vertx, request -> request.response().end("here"));
        var lookups = new AtomicInteger();
        NameLookup rebinding = _ -> Future.succeededFuture(
                List.of(InetAddress.ofLiteral(lookups.incrementAndGet() == 1 ? "127.0.0.1" : "10.0.0.1")));
        var client = client(rebinding);

        var first = result(client.send(OutboundRequest.of("GET", named("rebind.test", server))));

        assertThat(first.body().toString()).isEqualTo("here");
        assertThat(lookups).hasValue(1);
        blocked(client.send(OutboundRequest.of("GET", named("rebind.test", server))));
        assertThat(server.asked()).hasSize(1);
    }

    @Test
    void triesTheNextAddress_whenOneRefusesTheConnection() {
        var server = LocalServer.start(vertx, request -> request.response().end("second"));
        var client = new OutboundHttp(
                vertx,
                AddressGuard.allowing("127.0.0.0/8"),
                LIMITS,
                _ -> Future.succeededFuture(
                        List.of(InetAddress.ofLiteral("127.0.0.9"), InetAddress.ofLiteral("127.0.0.1"))),
                new HttpClientOptions());

        var response = result(client.send(OutboundRequest.of("GET", named("two.test", server))));

        assertThat(response.body().toString()).isEqualTo("second");
    }

    @Test
    void handsTheRedirectOver_whenItIsNotToBeFollowed() {
        var server = LocalServer.start(vertx, redirectingTo("http://10.0.0.1/"));

        var response = result(http.send(get(server, "/")));

        assertThat(response.status()).isEqualTo(302);
        assertThat(response.headers().get("location")).isEqualTo("http://10.0.0.1/");
    }

    @Test
    void followsRedirects_andReturnsTheFinalAddress() {
        var server = LocalServer.start(vertx, request -> {
            switch (request.path()) {
                case "/1" ->
                    request.response()
                            .setStatusCode(307)
                            .putHeader("Location", "2?x=1")
                            .end("ignored");
                default -> request.body().onSuccess(body -> request.response().end(request.method() + " " + body));
            }
        });

        var response = result(http.send(OutboundRequest.of("POST", address(server, "/1"))
                .withBody(Buffer.buffer("kept"))
                .followingRedirects(5)));

        assertThat(response.body().toString()).isEqualTo("POST kept");
        assertThat(response.address()).hasToString(server.url("/2?x=1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://10.0.0.1/",
                "http://169.254.169.254/",
                "http://[::1]:1/",
                "//127.0.0.2/",
                "http://0x7f.2/"
            })
    void refusesARedirectToAPrivateAddress(String location) {
        var server = LocalServer.start(vertx, redirectingTo(location));

        blocked(http.send(get(server, "/").followingRedirects(20)));
    }

    @Test
    void givesUp_afterTooManyRedirects() {
        var server = LocalServer.start(vertx, redirectingTo("/again"));

        var failure = failed(http.send(get(server, "/").followingRedirects(20)), Kind.TOO_MANY_REDIRECTS);

        assertThat(failure).hasMessageStartingWith("more than 20 redirects");
        assertThat(server.asked()).hasSize(21);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nX-Injected: 1", "a\nb", "a\rb", "a\u0000b", "a\u0085b\u2028", "日本"})
    void refusesHeaderValuesThatCouldBecomeMoreThanOneHeader(String value) {
        var request = OutboundRequest.of("GET", WebAddress.parse("http://example.com"));

        assertThatThrownBy(() -> request.withHeader("X-Mine", value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("X-Mine")
                .hasMessageNotContaining("Injected");
        assertThatThrownBy(() -> request.withHeader("X Mine", "v")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> request.withHeader("X-Mine\r\nY", "v")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> OutboundRequest.of("GET / HTTP/1.1\r\nX", request.address()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void framesTheMessageItself() {
        var server = LocalServer.start(
                vertx,
                request -> request.body()
                        .onSuccess(body -> request.response()
                                .end(request.getHeader("Content-Length")
                                        + request.getHeader("Transfer-Encoding")
                                        + body)));

        var response = result(http.send(OutboundRequest.of("POST", address(server, "/"))
                .withHeaders(Map.of("Content-Length", "1", "Transfer-Encoding", "chunked", "Connection", "close"))
                .withBody(Buffer.buffer("four"))));

        assertThat(response.body().toString()).isEqualTo("4nullfour");
    }

    @Test
    void goesThroughAProxy_thatIsNamedAndAllowed() {
        var seen = new HashSet<String>();
        var proxy = LocalServer.start(vertx, request -> {
            seen.add(request.getHeader("Proxy-Authorization"));
            request.response().end("by proxy");
        });

        var credentials = new OutboundProxy.ProxyCredentials("me", "pass");
        var response = result(http.send(OutboundRequest.of("GET", WebAddress.parse("http://93.184.216.34/x?y"))
                .through(new OutboundProxy("127.0.0.1", proxy.port(), Optional.of(credentials)))));

        assertThat(response.body().toString()).isEqualTo("by proxy");
        assertThat(proxy.asked()).containsExactly("GET http://93.184.216.34/x?y");
        assertThat(seen).containsExactly("Basic bWU6cGFzcw==");
    }

    @Test
    void refusesAPrivateProxy_andAPrivateTargetBehindAProxy() {
        var target = OutboundRequest.of("GET", WebAddress.parse("http://93.184.216.34/"));
        var hidden = OutboundRequest.of("GET", WebAddress.parse("http://10.0.0.1/"));
        var proxy = LocalServer.start(vertx, request -> request.response().end());

        blocked(http.send(target.through(new OutboundProxy("127.0.0.2", proxy.port(), Optional.empty()))));
        blocked(http.send(target.through(new OutboundProxy("0x7f.2", proxy.port(), Optional.empty()))));
        blocked(http.send(hidden.through(new OutboundProxy("127.0.0.1", proxy.port(), Optional.empty()))));
        assertThat(proxy.asked()).isEmpty();
    }

    private static io.vertx.core.Handler<HttpServerRequest> redirectingTo(String location) {
        return request -> request.response()
                .setStatusCode(302)
                .putHeader("Location", location)
                .end();
    }

    private OutboundHttp resolving(Map<String, List<String>> names) {
        return client(name -> Future.succeededFuture(
                names.get(name).stream().map(InetAddress::ofLiteral).toList()));
    }

    private static OutboundFailure blocked(Future<?> exchange) {
        return failed(exchange, Kind.BLOCKED_ADDRESS);
    }

    private static WebAddress named(String name, LocalServer server) {
        return WebAddress.parse("http://" + name + ":" + server.port() + "/");
    }
}
