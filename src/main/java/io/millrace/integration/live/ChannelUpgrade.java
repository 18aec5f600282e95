package io.millrace.integration.live;

import io.millrace.base.http.socket.PolledSocket;
import io.millrace.base.http.socket.TextSocket;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Upgrade of a client from long-polling to a web socket, by the protocol of Engine.IO: the client probes the web socket while
 * it continues to poll, lets its last poll end, and then sends the upgrade packet. A client that aborts before that continues
 * to poll.
 */
final class ChannelUpgrade {
    private static final String PROBE = "2probe";
    private static final String PROBED = "3probe";
    private static final String UPGRADE = "5";

    /** Longest time from the probe to the upgrade. */
    private static final long UNDECIDED_MS_MAX = 10_000;

    private enum Stage {
        BEGUN,
        PROBED,
        DONE
    }

    private final PolledSocket client;
    private final TextSocket socket;
    private Stage stage = Stage.BEGUN;

    private ChannelUpgrade(PolledSocket client, TextSocket socket) {
        this.client = client;
        this.socket = socket;
    }

    static void begin(PolledSocket client, TextSocket socket) {
        var upgrade = new ChannelUpgrade(client, socket);
        socket.passOn(upgrade::take);
        socket.every(UNDECIDED_MS_MAX, upgrade::look);
        socket.whenClosed(upgrade::closed);
    }

    private Future<Void> take(byte[] text) {
        if (stage == Stage.DONE) {
            return client.bring(List.of(text));
        }
        decide(new String(text, StandardCharsets.UTF_8));
        return Future.succeededFuture();
    }

    private void decide(String text) {
        if (stage == Stage.BEGUN && text.equals(PROBE)) {
            stage = Stage.PROBED;
            socket.send(PROBED);
            client.hurry(Packet.noop());
        } else if (stage == Stage.PROBED && text.equals(UPGRADE)) {
            stage = Stage.DONE;
            client.goOver(socket, Packet.noop());
        } else {
            socket.close();
        }
    }

    private void look() {
        if (stage != Stage.DONE) {
            socket.close();
        }
    }

    private void closed() {
        if (stage == Stage.PROBED) {
            client.calmDown();
        }
    }
}
