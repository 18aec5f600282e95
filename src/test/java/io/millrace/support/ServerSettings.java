package io.millrace.support;

import io.millrace.piece.Piece;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Settings of a test server, in addition to those that {@link TestServer} gives to all of them. */
public record ServerSettings(Map<String, String> values) {
    public ServerSettings {
        values = Map.copyOf(values);
    }

    /** One setting. */
    public static ServerSettings of(String name, String value) {
        return new ServerSettings(Map.of(name, value));
    }

    /** Open sign-up. */
    public static ServerSettings openSignUp() {
        return of("AP_ALLOW_OPEN_SIGN_UP", "true");
    }

    /** Allows flows to call servers of this host. */
    public static ServerSettings localCalls() {
        return of("AP_SSRF_ALLOW_LIST", "127.0.0.1");
    }

    /** Open sign-up, and flows may call servers of this host. */
    public static ServerSettings openSignUpAndLocalCalls() {
        return openSignUp().with("AP_SSRF_ALLOW_LIST", "127.0.0.1");
    }

    /** These settings and one more. */
    public ServerSettings with(String name, String value) {
        var all = new TreeMap<>(values);
        all.put(name, value);
        return new ServerSettings(all);
    }

    /** These settings and those of a test double. */
    public ServerSettings with(Map<String, String> others) {
        var all = new TreeMap<>(values);
        all.putAll(others);
        return new ServerSettings(all);
    }

    /** Starts a server with additional pieces and a stopped clock. */
    public TestServer start(Piece... pieces) {
        return TestServer.start(values, List.of(pieces));
    }

    /** Starts a server with additional pieces and a running clock. */
    public TestServer startInRealTime(Piece... pieces) {
        return TestServer.startInRealTime(values, List.of(pieces));
    }
}
