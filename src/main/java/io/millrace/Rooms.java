package io.millrace;

import io.millrace.bus.Bus;
import io.millrace.code.CodeCompiler;
import io.millrace.code.CodeRunner;
import io.millrace.code.CodeSettings;
import io.millrace.config.BadSetting;
import io.millrace.config.Config;
import io.millrace.file.FileRoutes;
import io.millrace.file.FileService;
import io.millrace.flow.ExpressionReader;
import io.millrace.flow.FlowRoutes;
import io.millrace.flow.FlowService;
import io.millrace.flow.FlowValidator;
import io.millrace.flow.PublishCheck;
import io.millrace.flow.TriggerGate;
import io.millrace.http.ApiDocumentRoutes;
import io.millrace.http.HttpModule;
import io.millrace.identity.AccessTokens;
import io.millrace.identity.ApiKeyRoutes;
import io.millrace.identity.ApiKeyService;
import io.millrace.identity.SignInRoutes;
import io.millrace.identity.SignInService;
import io.millrace.identity.TokenService;
import io.millrace.net.AddressGuard;
import io.millrace.net.OutboundHttp;
import io.millrace.net.OutboundLimits;
import io.millrace.persistence.Database;
import io.millrace.persistence.Desk;
import io.millrace.piece.PieceCatalogue;
import io.millrace.piece.PieceRoutes;
import io.millrace.piece.PieceService;
import io.millrace.piece.builtin.Builtins;
import io.millrace.piece.builtin.HttpPiece;
import io.millrace.platform.PlatformRoutes;
import io.millrace.platform.PlatformService;
import io.millrace.project.ProjectGateService;
import io.millrace.project.ProjectRoutes;
import io.millrace.project.ProjectService;
import io.millrace.run.RoomStepServices;
import io.millrace.run.RunRoutes;
import io.millrace.run.RunService;
import io.millrace.run.RunShards;
import io.millrace.run.RunVerticle;
import io.millrace.secret.Passwords;
import io.millrace.secret.ServerSecrets;
import io.millrace.store.StoreService;
import io.millrace.webhook.TriggerEventRoutes;
import io.millrace.webhook.TriggerEventService;
import io.millrace.webhook.WebhookRoutes;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Builds the rooms and plugs the upper ones into the lower ones; names them all, and nothing else does. */
final class Rooms {
    private final Vertx vertx;
    private final Config config;
    private final Bus bus;
    private final InstantSource clock;
    private final String nodeId;
    private final CodeRunner code;
    private final CodeCompiler compiler;
    private final OutboundHttp outbound;
    private final PieceCatalogue pieces;
    private final Supplier<String> publicUrl;
    private final List<Desk> desks;
    private final SignInRoutes signIn;

    Rooms(
            Vertx vertx,
            Config config,
            Bus bus,
            Database database,
            ServerSecrets secrets,
            InstantSource clock,
            String nodeId,
            Supplier<String> publicUrl) {
        this.vertx = vertx;
        this.config = config;
        this.bus = bus;
        this.clock = clock;
        this.nodeId = nodeId;
        var codeDirectory = config.data().directory().resolve("code");
        this.code = new CodeRunner(
                vertx,
                CodeSettings.forHost(
                        codeDirectory,
                        config.engine().codeMemoryBytes(),
                        config.engine().codeConcurrency()));
        this.compiler = new CodeCompiler(vertx, codeDirectory);
        this.outbound = new OutboundHttp(vertx, guard(), outboundLimits());
        this.pieces = catalogue();
        this.publicUrl = publicUrl;
        this.signIn = new SignInRoutes(bus, config, clock);
        this.desks = desks(database, secrets);
    }

    CodeRunner code() {
        return code;
    }

    List<Desk> desks() {
        return desks;
    }

    RunVerticle.Parts runParts(RunShards shards) {
        var services =
                new RoomStepServices(bus, outbound, publicUrl, config.engine().fileBytesMax());
        return new RunVerticle.Parts(bus, config, shards, nodeId, pieces, compiler, code, services, clock);
    }

    /** Whatever may be kept as a file may also be fetched. */
    private OutboundLimits outboundLimits() {
        var limits = OutboundLimits.defaults();
        var fileBytesMax = Math.toIntExact(config.engine().fileBytesMax());
        return limits.withBodyBytesMax(Math.max(limits.bodyBytesMax(), fileBytesMax));
    }

    private PieceCatalogue catalogue() {
        var all = new ArrayList<>(Builtins.all(clock, RandomGenerator.of("L64X128MixRandom")));
        all.add(new HttpPiece(outbound));
        return new PieceCatalogue(all);
    }

    private AddressGuard guard() {
        try {
            return AddressGuard.allowing(config.outbound().allowList());
        } catch (IllegalArgumentException malformed) {
            throw new BadSetting(malformed.getMessage());
        }
    }

    private FileService files(Database database, ServerSecrets secrets) {
        var retention = Duration.ofDays(config.data().retentionDays());
        var limits = new FileService.Limits(config.engine().fileBytesMax(), retention);
        return new FileService(vertx, database, secrets.jwtSecret(), publicUrl, limits, clock);
    }

    private List<Desk> desks(Database database, ServerSecrets secrets) {
        var tokens = new AccessTokens(secrets.jwtSecret(), clock);
        var platforms = new PlatformService(database);
        var flows = new FlowService(
                bus,
                database,
                new FlowValidator(pieces::find),
                new PublishCheck(ExpressionReader.ofGrammar()),
                new TriggerGate(pieces::find),
                config.engine().enableOnPublish(),
                clock);
        var projects = new ProjectService(bus, database, platforms, flows, clock);
        return List.of(
                platforms,
                new SignInService(
                        database,
                        platforms,
                        projects,
                        new Passwords(vertx),
                        tokens,
                        config.signIn().openSignUp(),
                        clock),
                new TokenService(database, tokens, clock),
                new ApiKeyService(database, clock),
                files(database, secrets),
                new StoreService(database, config.engine().storeValueBytesMax(), clock),
                new PieceService(pieces),
                projects,
                new ProjectGateService(database),
                flows,
                new RunService(vertx, database, nodeId),
                new TriggerEventService(database));
    }

    /** Routes of all rooms. */
    List<HttpModule> modules() {
        return List.of(
                new WebhookRoutes(bus, config.webhooks()),
                new PlatformRoutes(bus, config, Server.VERSION),
                signIn,
                new ApiKeyRoutes(bus),
                new FileRoutes(bus),
                new PieceRoutes(bus),
                new ProjectRoutes(bus),
                new FlowRoutes(bus),
                new RunRoutes(bus),
                new TriggerEventRoutes(bus),
                new ApiDocumentRoutes());
    }
}
