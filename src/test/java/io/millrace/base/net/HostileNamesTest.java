package io.millrace.base.net;

import static io.millrace.base.net.LocalServer.failure;
import static io.millrace.base.net.LocalServer.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.net.OutboundFailure.Kind;
import io.millrace.hostile.HostileKind;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Names that resolve to internal addresses. An allowed server listens on 127.0.0.1 and a forbidden one on 127.0.0.2, at the
 * same port: a connection to the second one means that the guard was bypassed.
 */
@HostileKind("name server")
final class HostileNamesTest {
    private static final String ALLOWED = "127.0.0.1";
    private static final String FORBIDDEN = "127.0.0.2";

    private NameServer names;
    private OutboundHttp http;
    private int port;
    private final List<String> reached = new CopyOnWriteArrayList<>();
    private volatile String location = "";

    @BeforeEach
    void open() throws Exception {
        names = new NameServer();
        var vertx = names.vertx();
        port = FreePort.find().orElseThrow();
        result(vertx.createHttpServer()
                .requestHandler(request -> {
                    if (!location.isEmpty() && request.path().equals("/away")) {
                        request.response().setStatusCode(302).putHeader("Location", location);
                    }
                    request.response().end("here");
                })
                .listen(port, ALLOWED));
        result(vertx.createHttpServer()
                .requestHandler(request -> {
                    reached.add(request.uri());
                    request.response().end("inside");
                })
                .listen(port, FORBIDDEN));
        http = new OutboundHttp(
                vertx, AddressGuard.allowing(ALLOWED), new OutboundLimits(2_000, 10_000, 64 * 1024, 4, 100));
    }

    @AfterEach
    void nothingInsideWasReached() {
        names.close();
        assertThat(reached).isEmpty();
    }

    private OutboundRequest get(String name) {
        return OutboundRequest.of("GET", WebAddress.parse("http://" + name + ":" + port + "/"));
    }

    private void blocked(String name) {
        var refused = failure(http.send(get(name)));
        assertThat(refused).isInstanceOf(OutboundFailure.class);
        assertThat(((OutboundFailure) refused).kind()).isEqualTo(Kind.BLOCKED_ADDRESS);
    }

    private void notFound(String name) {
        var refused = failure(http.send(get(name)));
        assertThat(refused).isInstanceOf(OutboundFailure.class);
        assertThat(((OutboundFailure) refused).kind()).isEqualTo(Kind.NAME_NOT_FOUND);
    }

    /** The name is not resolved again between the address check and the connection (DNS rebinding). */
    @Test
    void connectsToTheAddressThatWasJudged_whenTheNextAnswerLeadsInside() {
        names.tell("rebinding.test", List.of(ALLOWED), List.of(FORBIDDEN));

        var response = result(http.send(get("rebinding.test")));

        assertThat(response.body().toString()).isEqualTo("here");
        assertThat(names.asked()).containsExactly("rebinding.test");
        blocked("rebinding.test");
        blocked("rebinding.test");
    }

    @Test
    void judgesEachAnswerAnew_howeverOftenTheyChange() {
        names.tell(
                "flipping.test",
                List.of(FORBIDDEN),
                List.of(ALLOWED),
                List.of("169.254.169.254"),
                List.of(ALLOWED),
                List.of("10.0.0.1"));

        blocked("flipping.test");
        assertThat(result(http.send(get("flipping.test"))).status()).isEqualTo(200);
        blocked("flipping.test");
        assertThat(result(http.send(get("flipping.test"))).status()).isEqualTo(200);
        blocked("flipping.test");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.2",
                "169.254.169.254",
                "168.63.129.16",
                "100.100.100.200",
                "192.0.0.192",
                "0.0.0.0",
                "::1",
                "::",
                "::ffff:127.0.0.2",
                "::ffff:169.254.169.254",
                "::127.0.0.2",
                "64:ff9b::7f00:2",
                "64:ff9b::a9fe:a9fe",
                "64:ff9b:1::a9fe:a9fe",
                "2002:7f00:2::1",
                "2001:0:7f00:2::1",
                "fd00:ec2::254",
                "fe80::a9fe:a9fe",
                "fec0::1"
            })
    void refusesANameThatLeadsInside(String address) {
        names.tell("inside.test", List.of(address));
        names.tell("alias.test", List.of("=inside.test"));
        blocked("inside.test");
        blocked("INSIDE.test.");
        blocked("alias.test");
    }

    @Test
    void connectsOnlyToTheAddressesThatPass_amongSeveral() {
        names.tell("several.test", List.of(FORBIDDEN, ALLOWED, "169.254.169.254", "::1"));
        for (var time = 0; time < 5; time++) {
            assertThat(result(http.send(get("several.test"))).body().toString()).isEqualTo("here");
        }
    }

    @Test
    void judgesTheNameOfARedirectToo() {
        names.tell("good.test", List.of(ALLOWED));
        names.tell("inside.test", List.of(FORBIDDEN));
        names.tell("rebinding.test", List.of(ALLOWED), List.of(FORBIDDEN));
        location = "http://inside.test:" + port + "/";
        var away = OutboundRequest.of("GET", WebAddress.parse("http://good.test:" + port + "/away"))
                .followingRedirects(5);
        assertThat(((OutboundFailure) failure(http.send(away))).kind()).isEqualTo(Kind.BLOCKED_ADDRESS);

        // A name that was permitted before is checked again at the redirect.
        location = "http://rebinding.test:" + port + "/";
        var rebinding = OutboundRequest.of("GET", WebAddress.parse("http://rebinding.test:" + port + "/away"))
                .followingRedirects(5);
        assertThat(((OutboundFailure) failure(http.send(rebinding))).kind()).isEqualTo(Kind.BLOCKED_ADDRESS);
    }

    @Test
    void reportsAnUnknownName_whenAliasesAreCyclic_orUnanswered() {
        names.tell("circle.test", List.of("=other.test"));
        names.tell("other.test", List.of("=circle.test"));
        names.tell("silent.test", List.<String>of());
        notFound("circle.test");
        notFound("silent.test");
        notFound("missing.test");
    }

    /** The guard of non-HTTP clients returns the checked addresses, so that no second lookup can change them. */
    @Test
    void givesOthersTheAddressesThatWereJudged() {
        var hosts = new HostGuard(names.vertx(), AddressGuard.allowing(ALLOWED));
        names.tell("rebinding.test", List.of(ALLOWED, "10.0.0.1"), List.of(FORBIDDEN));
        assertThat(result(hosts.find("rebinding.test")))
                .extracting(address -> address.getHostAddress())
                .containsExactly(ALLOWED);
        assertThat(failure(hosts.find("rebinding.test"))).isInstanceOf(OutboundFailure.class);
    }
}
