package io.millrace.base.http.server;

import static io.millrace.base.http.server.VerticleBench.upgraded;
import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.millrace.base.http.Routes;
import io.vertx.core.Promise;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A request whose connection was upgraded to a web socket is over: the server neither retains it nor waits for it when
 * it stops.
 */
final class UpgradedRequestTest {
    private static final String SOCKET = "/v1/socket";

    /** A stop waits for requests longer than this test waits for the stop. */
    private static final Map<String, String> PATIENT = Map.of("AP_SHUTDOWN_SECONDS", "3600");

    private final Promise<Void> closed = Promise.promise();

    private void mount(Routes routes) {
        routes.socket(SOCKET, (socket, _) -> socket.whenClosed(closed::tryComplete), it -> it.fail(400));
    }

    @Test
    void isNotWaitedFor_whileItsSocketIsOpen() {
        var server = new VerticleBench(PATIENT, this::mount);
        try (var _ = upgraded(server.connect(), SOCKET)) {
            assertThatNoException().isThrownBy(server::close);
        }
    }

    @Test
    void isNotWaitedFor_whenItsSocketIsClosed() {
        var server = new VerticleBench(PATIENT, this::mount);
        upgraded(server.connect(), SOCKET).close();
        await(closed.future());

        assertThatNoException().isThrownBy(server::close);
    }
}
