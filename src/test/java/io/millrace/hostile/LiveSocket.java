package io.millrace.hostile;

import java.io.IOException;
import java.net.SocketTimeoutException;

/** An unauthenticated, idle web socket of the live channel. */
final class LiveSocket implements Attack {
    private static final String UPGRADE = """
            GET /api/socket.io/?EIO=4&transport=websocket HTTP/1.1
            Host: 127.0.0.1
            Connection: Upgrade
            Upgrade: websocket
            Sec-WebSocket-Version: 13
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

            """.replace("\n", "\r\n");

    @Override
    public void once(AttackTarget target, AnswerCounts answers) throws IOException {
        var since = System.nanoTime();
        try (var wire = Wire.open(target.port())) {
            wire.send(UPGRADE);
            answers.add("live socket", wire.status(), since);
            hold(target, wire);
        }
    }

    /** Blocks until the server closes the socket, which it does when a ping is not answered. */
    private static void hold(AttackTarget target, Wire wire) throws IOException {
        try {
            var read = wire.read();
            while (read >= 0 && !target.isOver()) {
                read = wire.read();
            }
        } catch (SocketTimeoutException silent) {
            // The socket has been held for the longest timeout of a connection; another one replaces it.
            return;
        }
    }
}
