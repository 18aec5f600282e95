package io.millrace;

import io.millrace.http.HttpModule;
import io.millrace.persistence.Desk;
import io.millrace.persistence.RoundsVerticle;
import io.millrace.piece.Piece;
import java.util.List;

/** Builds the wings, each upon those it needs, and lists what they offer. */
final class Rooms {
    private final PlatformRooms platform;
    private final PieceRooms pieces;
    private final TriggerRooms triggers;
    private final RunRooms runs;
    private final List<Wing> wings;

    /** @param morePieces pieces besides those that come with the server */
    Rooms(Ground ground, List<Piece> morePieces) {
        var node = NpmRooms.node(ground);
        platform = new PlatformRooms(ground, node);
        var platforms = platform.platforms();
        pieces = new PieceRooms(ground, node, platforms, morePieces);
        var files = new FileRooms(ground);
        triggers = new TriggerRooms(ground, pieces, files.values());
        var flows = new FlowRooms(ground, pieces.catalogue(), triggers.triggers(), files.files());
        var connections = new ConnectionRooms(ground, flows.flows());
        var projects = new ProjectRooms(ground, platforms, flows.flows(), connections.ofProjects());
        var mail = new MailRooms(ground, platforms);
        var people = new PeopleRooms(ground, platforms, projects, mail.outbox());
        var tables = new TableRooms(ground);
        runs = new RunRooms(ground, pieces, triggers.hooks(), files.addresses());
        wings = List.of(
                // Routes are tried in this order, and those of webhooks are asked for the most.
                new WebhookRooms(ground),
                new GitRooms(ground, flows.flows(), connections.states(), tables.states(), files.files()),
                tables,
                triggers,
                platform,
                new EventRooms(ground),
                people,
                new OutsideRooms(ground, platforms, projects, people, pieces.tags()),
                pieces,
                files,
                connections,
                projects,
                new ClientRooms(ground, pieces, people.signInLimit()),
                flows,
                runs,
                mail,
                new ConsoleRooms(ground));
    }

    PlatformRooms platform() {
        return platform;
    }

    PieceRooms pieces() {
        return pieces;
    }

    TriggerRooms triggers() {
        return triggers;
    }

    RunRooms runs() {
        return runs;
    }

    List<Desk> desks() {
        return wings.stream().flatMap(wing -> wing.desks().stream()).toList();
    }

    List<HttpModule> modules() {
        return wings.stream().flatMap(wing -> wing.modules().stream()).toList();
    }

    List<RoundsVerticle> couriers() {
        return wings.stream().flatMap(wing -> wing.couriers().stream()).toList();
    }
}
