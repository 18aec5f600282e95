package io.millrace.piece.builtin.mail;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.account.mail.SmtpServer;
import io.millrace.account.mail.SmtpServer.Encryption;
import io.millrace.piece.PieceFailure;
import io.millrace.sandbox.expression.value.JsNumbers;
import java.util.Optional;
import java.util.Set;

final class SmtpAccount {
    private static final int PORT_MAX = 65_535;

    /** Ports where a conversation begins in the clear; TLS is then a step of the conversation. */
    private static final Set<Integer> CLEAR_PORTS = Set.of(25, 587, 2525);

    private SmtpAccount() {}

    /** The server of a connection's properties, which may be texts where numbers and flags are meant. */
    static SmtpServer server(JsonNode props) {
        var host = props.path("host").asText("").strip();
        var port = JsNumbers.of(props.path("port"));
        var email = props.path("email").asText("");
        if (host.isEmpty()) {
            throw PieceFailure.of("host: expected the name of a mail server, found none");
        }
        if (port != Math.rint(port) || port < 1 || port > PORT_MAX) {
            throw PieceFailure.of("port: expected a number from 1 to " + PORT_MAX + ", found another value");
        }
        var login = email.isEmpty()
                ? Optional.<SmtpServer.Login>empty()
                : Optional.of(new SmtpServer.Login(email, props.path("password").asText("")));
        return new SmtpServer(host, (int) port, encryption((int) port, isTrue(props.path("TLS"))), login, true);
    }

    private static boolean isTrue(JsonNode value) {
        return value.asText().equalsIgnoreCase("true");
    }

    private static Encryption encryption(int port, boolean wanted) {
        if (port == SmtpServer.TLS_PORT || wanted && !CLEAR_PORTS.contains(port)) {
            return Encryption.FROM_THE_START;
        }
        return wanted ? Encryption.UPGRADED : Encryption.IF_OFFERED;
    }
}
