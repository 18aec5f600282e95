package io.millrace.app.module;

import io.millrace.account.mail.SmtpClient;
import io.millrace.account.platform.PlatformService;
import io.millrace.authoring.flow.use.PieceUseCount;
import io.millrace.authoring.table.TableSteps;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.net.HostClass;
import io.millrace.base.net.HostGuard;
import io.millrace.base.persistence.BusService;
import io.millrace.engine.run.step.BusStepServices;
import io.millrace.engine.run.step.ProjectPieceWorld;
import io.millrace.engine.run.step.StepServices;
import io.millrace.engine.webhook.SubflowCalls;
import io.millrace.piece.Piece;
import io.millrace.piece.builtin.Builtins;
import io.millrace.piece.builtin.ai.AiPiece;
import io.millrace.piece.builtin.http.GraphqlPiece;
import io.millrace.piece.builtin.http.HttpPiece;
import io.millrace.piece.builtin.mail.SmtpPiece;
import io.millrace.piece.builtin.subflow.SubflowsPiece;
import io.millrace.piece.builtin.table.TablesPiece;
import io.millrace.piece.builtin.teams.TeamsBotPiece;
import io.millrace.piece.builtin.teams.TeamsPlaces;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.PieceLogos;
import io.millrace.piece.catalogue.PieceRoutes;
import io.millrace.piece.catalogue.PieceService;
import io.millrace.piece.openapi.OpenApiPieceRoutes;
import io.millrace.piece.openapi.OpenApiPieceService;
import io.millrace.piece.request.PieceRequestRoutes;
import io.millrace.piece.request.PieceRequestService;
import io.millrace.piece.tag.TagRoutes;
import io.millrace.piece.tag.TagService;
import io.millrace.sandbox.node.NodeVerticle;
import io.millrace.workspace.project.OfferedPieces;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Pieces: built-in and installed ones, and the requests of their steps. */
public final class PieceModule implements ServerModule {
    private final ServerContext context;
    private final NodeVerticle node;
    private final PieceCatalogue catalogue;
    private final StepServices stepServices;
    private final TagService tags;
    private final List<BusService> busServices;

    /** @param more pieces in addition to the built-in ones */
    PieceModule(
            ServerContext context, NodeVerticle node, PlatformService platforms, AgentModule agents, List<Piece> more) {
        this.context = context;
        this.node = node;
        catalogue = catalogue(agents, more);
        stepServices = new BusStepServices(
                context.bus(),
                context.network().outbound(),
                context.network().publicUrl(),
                context.config().runs().engine().sizes().fileBytesMax(),
                context.config().runs().engine().publishing().bindsConnections());
        tags = new TagService(context.database(), context.clock());
        var feed = NpmModule.feed(context);
        busServices = List.of(
                new PieceService(
                        catalogue,
                        new OfferedPieces(context.database(), platforms),
                        feed,
                        new PieceUseCount(context.database(), context.clock())),
                feed,
                new PieceLogos(
                        context.vertx(),
                        catalogue,
                        feed,
                        context.network().outbound().toHosts(HostClass.PIECE_REGISTRY),
                        context.config().packages().catalogue().logoBytesMax(),
                        context.config().packages().catalogue().logoCacheBytesMax(),
                        context.clock()),
                NpmModule.installedPieces(context, catalogue, node),
                new PieceRequestService(context.database(), catalogue, context.clock()),
                new OpenApiPieceService(
                        context.vertx(),
                        context.network().outbound(),
                        catalogue,
                        new OpenApiPieceService.Limits(
                                context.config().content().openApi().bytesMax(),
                                context.config().content().openApi().operationsMax(),
                                context.config().content().openApi().propertiesMax())),
                tags);
    }

    public NodeVerticle node() {
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
    public List<BusService> busServices() {
        return busServices;
    }

    @Override
    public List<RouteGroup> routeGroups() {
        return List.of(
                new TagRoutes(context.bus()),
                new OpenApiPieceRoutes(context.bus()),
                new PieceRoutes(context.bus()),
                new PieceRequestRoutes(context.bus()));
    }

    private TeamsPlaces teamsPlaces() {
        var bot = context.config().runs().teamsBot();
        return new TeamsPlaces(
                bot.loginUrl(), bot.graphUrl(), bot.serviceUrl(), bot.metadataUrl(), bot.issuer(), bot.keysKept());
    }

    private PieceCatalogue catalogue(AgentModule agents, List<Piece> more) {
        var outbound = context.network().outbound();
        var all = new ArrayList<>(Builtins.all(context.clock(), RandomGenerator.of("L64X128MixRandom")));
        all.add(new HttpPiece(outbound));
        all.add(GraphqlPiece.create(outbound));
        all.add(new SmtpPiece(new SmtpClient(
                context.vertx(),
                new HostGuard(context.vertx(), context.network().guard()),
                context.clock())));
        all.add(new SubflowsPiece(
                new SubflowCalls(context.bus(), context.nodes().node().shards(), outbound, context.callerUrl())));
        all.add(new TablesPiece(new TableSteps(context.bus())));
        all.add(new TeamsBotPiece(
                outbound,
                teamsPlaces(),
                new ProjectPieceWorld(
                        context.bus(),
                        context.config().runs().engine().publishing().bindsConnections(),
                        context.clock()),
                context.clock()));
        all.add(new AiPiece(agents.models(), agents.starts(), context.clock()));
        all.addAll(more);
        return new PieceCatalogue(all);
    }
}
