package io.millrace;

import io.millrace.http.HttpModule;
import io.millrace.mail.SmtpClient;
import io.millrace.net.HostGuard;
import io.millrace.node.NodeVerticle;
import io.millrace.persistence.Desk;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceCatalogue;
import io.millrace.piece.PieceRoutes;
import io.millrace.piece.PieceService;
import io.millrace.piece.TagRoutes;
import io.millrace.piece.TagService;
import io.millrace.piece.builtin.Builtins;
import io.millrace.piece.builtin.GraphqlPiece;
import io.millrace.piece.builtin.HttpPiece;
import io.millrace.piece.builtin.SmtpPiece;
import io.millrace.piece.builtin.SubflowsPiece;
import io.millrace.piece.builtin.TablesPiece;
import io.millrace.platform.PlatformService;
import io.millrace.project.OfferedPieces;
import io.millrace.run.RoomStepServices;
import io.millrace.run.StepServices;
import io.millrace.table.TableSteps;
import io.millrace.webhook.SubflowCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Pieces: those that come with the server, those that are installed, and what their steps may ask for. */
final class PieceRooms implements Wing {
    private final Ground ground;
    private final NodeVerticle node;
    private final PieceCatalogue catalogue;
    private final StepServices stepServices;
    private final TagService tags;
    private final List<Desk> desks;

    /** @param more pieces besides those that come with the server */
    PieceRooms(Ground ground, NodeVerticle node, PlatformService platforms, List<Piece> more) {
        this.ground = ground;
        this.node = node;
        catalogue = catalogue(more);
        stepServices = new RoomStepServices(
                ground.bus(),
                ground.outbound(),
                ground.publicUrl(),
                ground.config().engine().fileBytesMax(),
                ground.config().engine().bindsConnections());
        tags = new TagService(ground.database(), ground.clock());
        desks = List.of(
                new PieceService(catalogue, new OfferedPieces(ground.database(), platforms)),
                NpmRooms.installedPieces(ground, catalogue, node),
                tags);
    }

    /** Whose processes run npm pieces. */
    NodeVerticle node() {
        return node;
    }

    PieceCatalogue catalogue() {
        return catalogue;
    }

    StepServices stepServices() {
        return stepServices;
    }

    TagService tags() {
        return tags;
    }

    @Override
    public List<Desk> desks() {
        return desks;
    }

    @Override
    public List<HttpModule> modules() {
        return List.of(new TagRoutes(ground.bus()), new PieceRoutes(ground.bus()));
    }

    private PieceCatalogue catalogue(List<Piece> more) {
        var outbound = ground.outbound();
        var all = new ArrayList<>(Builtins.all(ground.clock(), RandomGenerator.of("L64X128MixRandom")));
        all.add(new HttpPiece(outbound));
        all.add(GraphqlPiece.create(outbound));
        all.add(new SmtpPiece(new SmtpClient(ground.vertx(), new HostGuard(ground.vertx(), ground.guard()))));
        all.add(new SubflowsPiece(
                new SubflowCalls(ground.bus(), ground.node().shards(), outbound, ground.callerUrl())));
        all.add(new TablesPiece(new TableSteps(ground.bus())));
        all.addAll(more);
        return new PieceCatalogue(all);
    }
}
