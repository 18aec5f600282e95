package io.millrace.support;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Base class of tests that share a server with open sign-up and its first user, who administers the platform. One
 * server for all tests of a class; classes run one after the other.
 */
public abstract class OpenServer {
    protected static TestServer server;
    protected static TestServer.SignedIn admin;

    @BeforeAll
    static void start() {
        server = TestServer.start(Map.of("AP_ALLOW_OPEN_SIGN_UP", "true"));
        admin = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        server.close();
    }
}
