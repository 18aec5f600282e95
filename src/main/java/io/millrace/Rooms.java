package io.millrace;

import io.millrace.audit.AuditRoutes;
import io.millrace.audit.AuditService;
import io.millrace.audit.AuditTrail;
import io.millrace.bus.Bus;
import io.millrace.code.CodeCompiler;
import io.millrace.code.CodeRunner;
import io.millrace.code.CodeSettings;
import io.millrace.config.BadSetting;
import io.millrace.config.Config;
import io.millrace.connection.ConnectionRoom;
import io.millrace.connection.ConnectionRoutes;
import io.millrace.connection.GlobalConnectionRoutes;
import io.millrace.file.FileAddresses;
import io.millrace.file.FileRoutes;
import io.millrace.file.FileService;
import io.millrace.file.SliceService;
import io.millrace.flow.ExpressionReader;
import io.millrace.flow.FlowPublishRules;
import io.millrace.flow.FlowRoutes;
import io.millrace.flow.FlowService;
import io.millrace.flow.FlowValidator;
import io.millrace.flow.FolderRoutes;
import io.millrace.flow.FolderService;
import io.millrace.flow.PublishCheck;
import io.millrace.flow.SampleDataRoutes;
import io.millrace.flow.SampleDataService;
import io.millrace.grant.GrantRoutes;
import io.millrace.grant.GrantService;
import io.millrace.grant.TokenExchangeService;
import io.millrace.http.ApiDocumentRoutes;
import io.millrace.http.HttpModule;
import io.millrace.identity.AccessTokens;
import io.millrace.identity.ApiKeyRoutes;
import io.millrace.identity.ApiKeyService;
import io.millrace.identity.SignInRoutes;
import io.millrace.identity.SignInService;
import io.millrace.identity.TokenService;
import io.millrace.identity.UserRoutes;
import io.millrace.identity.UserService;
import io.millrace.invitation.InvitationRoutes;
import io.millrace.invitation.InvitationService;
import io.millrace.net.AddressGuard;
import io.millrace.net.OutboundHttp;
import io.millrace.net.OutboundLimits;
import io.millrace.node.NodeVerticle;
import io.millrace.oauth.OAuthAppService;
import io.millrace.oauth.OAuthRoutes;
import io.millrace.oauth.TokenExchange;
import io.millrace.persistence.Database;
import io.millrace.persistence.Desk;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceCatalogue;
import io.millrace.piece.PieceRoutes;
import io.millrace.piece.PieceService;
import io.millrace.piece.builtin.Builtins;
import io.millrace.piece.builtin.HttpPiece;
import io.millrace.piece.builtin.SubflowsPiece;
import io.millrace.platform.PlatformRoutes;
import io.millrace.platform.PlatformService;
import io.millrace.project.AlertRoutes;
import io.millrace.project.AlertService;
import io.millrace.project.ProjectGateService;
import io.millrace.project.ProjectRoleRoutes;
import io.millrace.project.ProjectRoleService;
import io.millrace.project.ProjectRoutes;
import io.millrace.project.ProjectService;
import io.millrace.run.RoomStepServices;
import io.millrace.run.RunAdministrationRoutes;
import io.millrace.run.RunCancellation;
import io.millrace.run.RunEndings;
import io.millrace.run.RunEntrance;
import io.millrace.run.RunEventRoutes;
import io.millrace.run.RunMemory;
import io.millrace.run.RunRetry;
import io.millrace.run.RunRoutes;
import io.millrace.run.RunService;
import io.millrace.run.RunShards;
import io.millrace.run.RunSlots;
import io.millrace.run.RunStartRoutes;
import io.millrace.run.RunStarts;
import io.millrace.run.RunVerticle;
import io.millrace.run.RunWatch;
import io.millrace.run.WaitpointService;
import io.millrace.secret.Passwords;
import io.millrace.secret.SecretBox;
import io.millrace.secret.ServerSecrets;
import io.millrace.store.StoreService;
import io.millrace.template.TemplateRoutes;
import io.millrace.template.TemplateService;
import io.millrace.trigger.AppEventService;
import io.millrace.trigger.AppSecrets;
import io.millrace.trigger.Misfire;
import io.millrace.trigger.TriggerEventRoutes;
import io.millrace.trigger.TriggerEventService;
import io.millrace.trigger.TriggerHooks;
import io.millrace.trigger.TriggerRoutes;
import io.millrace.trigger.TriggerRules;
import io.millrace.trigger.TriggerService;
import io.millrace.trigger.TriggerTally;
import io.millrace.trigger.TriggerTestService;
import io.millrace.trigger.TriggerVerticle;
import io.millrace.variable.VariableRoutes;
import io.millrace.variable.VariableService;
import io.millrace.webhook.AppEventRoutes;
import io.millrace.webhook.ResumeRoutes;
import io.millrace.webhook.SubflowCalls;
import io.millrace.webhook.WebhookRoutes;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Builds the rooms and plugs the upper ones into the lower ones; names them all, and nothing else does. */
final class Rooms {
    private final Vertx vertx;
    private final Config config;
    private final Bus bus;
    private final InstantSource clock;
    private final String nodeId;
    private final RunShards shards;
    private final CodeRunner code;
    private final CodeCompiler compiler;
    private final OutboundHttp outbound;
    private final NodeVerticle node;
    private final PieceCatalogue pieces;
    private final Supplier<String> publicUrl;
    private final RoomStepServices stepServices;
    private final TriggerTally tally;
    private final TriggerHooks hooks;
    private final TriggerRules triggerRules;
    private final StoreService values;
    private final FileAddresses addresses;
    private final RunWatch watch;
    private final AuditTrail trail;
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
            RunShards shards,
            boolean onlyNode,
            Supplier<String> publicUrl,
            List<Piece> morePieces) {
        this.vertx = vertx;
        this.config = config;
        this.bus = bus;
        this.clock = clock;
        this.nodeId = nodeId;
        this.shards = shards;
        this.publicUrl = publicUrl;
        var codeDirectory = config.data().directory().resolve("code");
        this.code = new CodeRunner(
                vertx,
                CodeSettings.forHost(
                        codeDirectory,
                        config.engine().codeMemoryBytes(),
                        config.engine().codeConcurrency()));
        this.compiler = new CodeCompiler(vertx, codeDirectory);
        this.outbound = new OutboundHttp(vertx, guard(), outboundLimits());
        this.node = NpmRooms.node(config, publicUrl);
        this.pieces = catalogue(morePieces);
        this.stepServices =
                new RoomStepServices(bus, outbound, publicUrl, config.engine().fileBytesMax());
        this.tally = new TriggerTally(clock);
        this.hooks = new TriggerHooks(
                stepServices,
                publicUrl,
                config.engine().triggerTimeout(),
                config.triggers().hooksTimeout(),
                tally,
                clock);
        this.triggerRules = new TriggerRules(
                config.triggers().pollMinutes(),
                Misfire.valueOf(config.triggers().misfirePolicy().toUpperCase(Locale.ROOT)),
                config.triggers().misfiresMax());
        this.values = new StoreService(database, config.engine().storeValueBytesMax(), clock);
        this.watch = new RunWatch(bus);
        this.trail = new AuditTrail(clock);
        this.signIn = new SignInRoutes(bus, config, clock);
        this.addresses = new FileAddresses(secrets.jwtSecret(), publicUrl, clock);
        this.desks = desks(database, secrets, onlyNode);
    }

    CodeRunner code() {
        return code;
    }

    NodeVerticle node() {
        return node;
    }

    List<Desk> desks() {
        return desks;
    }

    RunVerticle.Parts runParts() {
        var memory = new RunMemory(config.engine().memoryBytesMax());
        return new RunVerticle.Parts(
                bus,
                config,
                shards,
                nodeId,
                pieces,
                compiler,
                code,
                stepServices,
                hooks,
                addresses,
                publicUrl,
                new RunSlots(),
                memory,
                watch,
                clock);
    }

    TriggerVerticle.Parts triggerParts(Database database) {
        return new TriggerVerticle.Parts(
                database,
                bus,
                pieces::find,
                hooks,
                tally,
                triggerRules,
                values,
                new RunEntrance(bus, database, clock),
                nodeId,
                clock);
    }

    /** Whatever may be kept as a file may also be fetched. */
    private OutboundLimits outboundLimits() {
        var limits = OutboundLimits.defaults();
        var fileBytesMax = Math.toIntExact(config.engine().fileBytesMax());
        return limits.withBodyBytesMax(Math.max(limits.bodyBytesMax(), fileBytesMax));
    }

    private PieceCatalogue catalogue(List<Piece> morePieces) {
        var all = new ArrayList<>(Builtins.all(clock, RandomGenerator.of("L64X128MixRandom")));
        all.add(new HttpPiece(outbound));
        all.add(SubflowsPiece.create(new SubflowCalls(bus, shards, outbound, publicUrl)));
        all.addAll(morePieces);
        return new PieceCatalogue(all);
    }

    private AddressGuard guard() {
        try {
            return AddressGuard.allowing(config.outbound().allowList());
        } catch (IllegalArgumentException malformed) {
            throw new BadSetting(malformed.getMessage());
        }
    }

    private FileService files(Database database) {
        var retention = Duration.ofDays(config.data().retentionDays());
        var limits = new FileService.Limits(config.engine().fileBytesMax(), retention);
        return new FileService(vertx, database, addresses, limits, clock);
    }

    private List<Desk> desks(Database database, ServerSecrets secrets, boolean onlyNode) {
        var box = new SecretBox(secrets.encryptionKey());
        var platforms = new PlatformService(bus, database, config.telemetryEnabled(), clock);
        var files = files(database);
        var triggers = new TriggerService(database, pieces::find, hooks, triggerRules, clock);
        var flows = flows(database, triggers, files, onlyNode);
        var connections = new ConnectionRoom(
                vertx, bus, database, box, new TokenExchange(outbound, clock), flows.connections(), trail, clock);
        var projects = new ProjectService(bus, database, platforms, flows, connections.projectConnections(), clock);
        var all = new ArrayList<Desk>(connections.desks());
        all.addAll(peopleDesks(database, new AccessTokens(secrets.jwtSecret(), clock), platforms, projects));
        all.addAll(flowDesks(database, flows, triggers, files));
        all.addAll(runDesks(database));
        all.addAll(List.of(
                projects,
                new ProjectGateService(database),
                new AlertService(database, clock),
                new AuditService(database, Duration.ofDays(config.data().retentionDays()), clock),
                files,
                new SliceService(vertx, database, clock),
                values,
                new PieceService(pieces),
                NpmRooms.installedPieces(vertx, config, bus, database, pieces, node, publicUrl, clock),
                new OAuthAppService(bus, database, box, clock),
                new VariableService(bus, database, box, trail, clock)));
        return all;
    }

    private FlowService flows(Database database, TriggerService triggers, FileService files, boolean onlyNode) {
        return new FlowService(
                bus,
                database,
                new FlowValidator(pieces::find),
                new PublishCheck(ExpressionReader.ofGrammar()),
                triggers,
                files,
                trail,
                new FlowPublishRules(
                        config.engine().enableOnPublish(), config.triggers().hooksTimeout(), onlyNode),
                clock);
    }

    /** Who uses the platform, as what, and how they sign in. */
    private List<Desk> peopleDesks(
            Database database, AccessTokens tokens, PlatformService platforms, ProjectService projects) {
        var roles = new ProjectRoleService(bus, database, trail, clock);
        var users = new UserService(bus, database, platforms, projects, clock);
        var invitations = new InvitationService(database, users, roles, tokens, clock);
        var signIns = new SignInService(
                database,
                platforms,
                projects,
                new Passwords(vertx),
                tokens,
                invitations,
                trail,
                config.signIn().openSignUp(),
                clock);
        return List.of(
                platforms,
                signIns,
                new TokenService(database, tokens, clock),
                new ApiKeyService(database, clock),
                new GrantService(bus, database, tokens, clock),
                new TokenExchangeService(database, tokens, clock),
                roles,
                users,
                invitations);
    }

    /** Flows, and what belongs to one while it is built. */
    private List<Desk> flowDesks(Database database, FlowService flows, TriggerService triggers, FileService files) {
        return List.of(
                flows,
                triggers,
                new TriggerTestService(bus, database, pieces::find, hooks),
                new TriggerEventService(database),
                new AppEventService(
                        database,
                        this::newest,
                        AppSecrets.read(config.triggers().appSecrets()),
                        publicUrl),
                new TemplateService(database, clock),
                new FolderService(bus, database, trail, clock),
                new SampleDataService(database, files, clock));
    }

    private List<Desk> runDesks(Database database) {
        return List.of(
                new RunService(vertx, database, nodeId, clock),
                new RunEntrance(bus, database, clock),
                new RunStarts(bus, database, shards, clock),
                new RunEndings(bus, database, clock),
                new RunCancellation(bus, database, shards, nodeId),
                new RunRetry(vertx, bus, database, shards, nodeId, config.data().retentionDays(), clock),
                new WaitpointService(bus, database, shards, nodeId, publicUrl, clock));
    }

    private Optional<Piece> newest(String name) {
        return pieces.newest(_ -> true).stream()
                .filter(piece -> piece.spec().name().equals(name))
                .findFirst();
    }

    /** Routes of all rooms. */
    List<HttpModule> modules() {
        return List.of(
                new WebhookRoutes(bus, config.webhooks()),
                new AppEventRoutes(bus, config.webhooks()),
                new TriggerRoutes(bus, config.triggers().hooksTimeout().toMillis() + 10_000),
                new ResumeRoutes(bus, shards, config.webhooks()),
                new PlatformRoutes(
                        bus, config, Server.VERSION, () -> node.trouble().map(Optional::isEmpty)),
                new AuditRoutes(bus),
                signIn,
                new ApiKeyRoutes(bus),
                new FileRoutes(bus),
                new PieceRoutes(bus),
                new OAuthRoutes(bus),
                new ConnectionRoutes(bus),
                new GlobalConnectionRoutes(bus),
                new VariableRoutes(bus),
                new ProjectRoutes(bus),
                new ProjectRoleRoutes(bus),
                new AlertRoutes(bus),
                new UserRoutes(bus),
                new InvitationRoutes(bus, publicUrl),
                new GrantRoutes(bus, publicUrl),
                new FlowRoutes(bus),
                new TemplateRoutes(bus, clock),
                new FolderRoutes(bus),
                new SampleDataRoutes(bus),
                new RunRoutes(bus),
                new RunStartRoutes(bus),
                new RunEventRoutes(bus, watch),
                new RunAdministrationRoutes(bus),
                new TriggerEventRoutes(bus),
                new ApiDocumentRoutes());
    }
}
