package io.millrace.integration.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.account.identity.user.Users;
import io.millrace.base.access.Gate;
import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.http.ErrorRenderer;
import io.millrace.base.http.socket.PolledSocket;
import io.millrace.base.http.socket.TextSocket;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.journal.RunProgressHub;
import io.millrace.piece.catalogue.Pieces;
import io.vertx.core.Future;
import java.util.List;

/**
 * Session of one client of the channel: performs the handshake, admits the client, checks periodically that it is alive and
 * still authorized, and passes on its requests. Stays on the event loop of its connection.
 */
final class ChannelSession {
    static final long DEADLINE_MS = 30_000;

    static final long PING_INTERVAL_MS = 25_000;
    private static final long PING_TIMEOUT_MS = 20_000;

    private final Bus bus;
    private final RunProgressHub watch;
    private final TextSocket socket;
    private final String id;
    private String token;
    private String projectId;

    /** Null until the client is admitted. */
    private ChannelRequests requests;

    private boolean silent;

    private ChannelSession(Bus bus, RunProgressHub watch, TextSocket socket, String id) {
        this.bus = bus;
        this.watch = watch;
        this.socket = socket;
        this.id = id;
    }

    /**
     * Greets a client.
     *
     * @param id of its session
     * @param bytesMax largest message that is taken of it
     */
    static void meet(Bus bus, RunProgressHub watch, TextSocket socket, String id, int bytesMax) {
        var member = new ChannelSession(bus, watch, socket, id);
        socket.onText(Packet::read, packet -> packet.ifPresentOrElse(member::take, socket::close));
        socket.every(PING_INTERVAL_MS, member::beat);
        var upgrades = socket instanceof PolledSocket ? List.of("websocket") : List.<String>of();
        socket.send(Packet.open(member.id, upgrades, PING_INTERVAL_MS, PING_TIMEOUT_MS, bytesMax));
    }

    private void take(Packet packet) {
        switch (packet.kind()) {
            case PONG -> silent = false;
            case CLOSE, DISCONNECT -> socket.close();
            case CONNECT -> connect(packet);
            case EVENT -> {
                if (requests == null) {
                    socket.close();
                } else {
                    requests.take(packet);
                }
            }
        }
    }

    /** Closes the session if the client has not connected by the first beat, or has not answered the last ping. */
    private void beat() {
        if (silent || requests == null) {
            socket.close();
            return;
        }
        silent = true;
        socket.send(Packet.ping());
        requests.look();
        admit(Permission.READ_RUN).onSuccess(requests::readmitted).onFailure(this::sendAway);
    }

    private void connect(Packet packet) {
        if (!packet.namespace().isEmpty()) {
            socket.send(Packet.refused(packet.namespace(), "Invalid namespace", Json.object()));
            return;
        }
        if (token != null) {
            socket.close();
            return;
        }
        var given = packet.data().path("token").asText();
        token = given.isEmpty() ? socket.session() : given;
        projectId = packet.data().path("projectId").asText();
        admit(Permission.READ_RUN)
                .compose(user -> bus.ask(new Users.Find(user, user.id()), DEADLINE_MS)
                        .map(person -> new ChannelRequests(
                                bus, watch, socket, this::admit, user, EditorPresence.of(id, projectId, person))))
                .onSuccess(this::enter)
                .onFailure(this::refuse);
    }

    /** Admits signed-in users only: the channel serves editors, and a lock names its holder. */
    private Future<Principal.SignedInUser> admit(Permission permission) {
        return bus.ask(new Gate.Identify(token), DEADLINE_MS)
                .map(principal -> principal.from(socket.clientAddress()))
                .compose(principal -> principal instanceof Principal.SignedInUser user
                        ? bus.ask(new Gate.Enter(user, projectId, permission), DEADLINE_MS)
                                .map(user)
                        : Future.failedFuture(
                                ApiException.of(ErrorCode.AUTHORIZATION, "principal is not allowed for this route")));
    }

    private void enter(ChannelRequests admitted) {
        requests = admitted;
        socket.known();
        closeLater(bus.on(
                ChannelBroadcast.addressOf(projectId), (ChannelBroadcast told) -> tell(told.event(), told.payload())));
        closeLater(bus.on(Runs.StepTestBegun.class, begun -> {
            if (begun.projectId().equals(projectId)) {
                admitted.followTest(begun);
            }
        }));
        closeLater(bus.on(Runs.StepTested.class, tested -> {
            if (tested.projectId().equals(projectId)) {
                admitted.leaveTest(tested.runId());
                tell("TEST_STEP_FINISHED", TestedStep.toJson(tested));
            }
        }));
        closeLater(bus.on(Pieces.Changed.class, _ -> tell("REFRESH_PIECE", MissingNode.getInstance())));
        closeLater(bus.on(Users.BadgeAwarded.class, awarded -> {
            if (awarded.projectId().equals(projectId)) {
                tell(
                        "BADGE_AWARDED",
                        Json.object().put("badge", awarded.badge()).put("userId", awarded.userId()));
            }
        }));
        closeLater(bus.on(Runs.Announced.class, announced -> {
            if (announced.projectId().equals(projectId)) {
                admitted.follow(announced.runId());
            }
        }));
        socket.whenClosed(admitted::leave);
        socket.send(Packet.connected(id));
    }

    private void closeLater(Bus.OpenEndpoint opened) {
        socket.whenClosed(opened::close);
    }

    private void tell(String event, JsonNode payload) {
        socket.send(Packet.event(event, payload));
    }

    private void refuse(Throwable cause) {
        var refusal = ErrorRenderer.refusalOf(cause, id);
        socket.send(Packet.refused("", refusal.text(), ErrorRenderer.body(refusal)));
        socket.close();
    }

    /** Rejects the client, unless the failure is a temporary one of this server. */
    private void sendAway(Throwable cause) {
        if (!ApiException.isUnavailable(ErrorRenderer.refusalOf(cause, id))) {
            socket.send(Packet.disconnected());
            socket.close();
        }
    }
}
