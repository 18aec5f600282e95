package io.millrace.account.mail;

import java.util.Optional;

/**
 * Connection settings of a mail server.
 *
 * @param login empty where the server requires none
 * @param checksCertificate false accepts any certificate, as operators of private servers must sometimes do
 */
public record SmtpServer(
        String host, int port, Encryption encryption, Optional<Login> login, boolean checksCertificate) {
    private static final int PORT_MAX = 65535;

    /** Conventional port of connections that are encrypted from the first byte. */
    public static final int TLS_PORT = 465;

    public SmtpServer {
        if (host.isBlank() || port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException("expected a host and a port from 1 to " + PORT_MAX);
        }
    }

    public enum Encryption {
        NEVER,
        IF_OFFERED,
        UPGRADED,
        FROM_THE_START
    }

    /** Credentials of the sender; the text never shows the password. */
    public record Login(String username, String password) {
        @Override
        public String toString() {
            return "Login[" + username + "]";
        }
    }
}
