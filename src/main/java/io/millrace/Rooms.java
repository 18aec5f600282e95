package io.millrace;

import io.millrace.alert.AlertCourier;
import io.millrace.analytics.AnalyticsRoutes;
import io.millrace.analytics.AnalyticsService;
import io.millrace.audit.AuditRoutes;
import io.millrace.audit.AuditService;
import io.millrace.audit.AuditTrail;
import io.millrace.badge.BadgeService;
import io.millrace.bus.Bus;
import io.millrace.code.CodeCompiler;
import io.millrace.code.CodeRunner;
import io.millrace.code.CodeSettings;
import io.millrace.config.BadSetting;
import io.millrace.config.Config;
import io.millrace.connection.ConnectionRoom;
import io.millrace.connection.ConnectionRoutes;
import io.millrace.connection.GlobalConnectionRoutes;
import io.millrace.embedding.ManagedSignInRoutes;
import io.millrace.embedding.SigningKeyRoutes;
import io.millrace.event.DestinationOutbox;
import io.millrace.event.EventCourier;
import io.millrace.event.EventDestinationRoutes;
import io.millrace.event.EventDestinationService;
import io.millrace.event.EventPost;
import io.millrace.file.BucketKey;
import io.millrace.file.BucketKeys;
import io.millrace.file.FileAddresses;
import io.millrace.file.FileRoutes;
import io.millrace.file.FileService;
import io.millrace.file.FileStorage;
import io.millrace.file.FileUploadRoutes;
import io.millrace.file.RoleKeys;
import io.millrace.file.S3Settings;
import io.millrace.file.S3Storage;
import io.millrace.file.SliceService;
import io.millrace.file.UploadService;
import io.millrace.flow.ExpressionReader;
import io.millrace.flow.FlowLimitRoutes;
import io.millrace.flow.FlowLimitService;
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
import io.millrace.identity.DirectoryAccounts;
import io.millrace.identity.MailedCodeService;
import io.millrace.identity.OutsideAccounts;
import io.millrace.identity.Reception;
import io.millrace.identity.RecoveryService;
import io.millrace.identity.SignInLimit;
import io.millrace.identity.SignInRoutes;
import io.millrace.identity.SignInService;
import io.millrace.identity.TokenService;
import io.millrace.identity.UserRoutes;
import io.millrace.identity.UserService;
import io.millrace.invitation.InvitationRoutes;
import io.millrace.invitation.InvitationService;
import io.millrace.issuer.ProjectTokenRoutes;
import io.millrace.issuer.ProjectTokenService;
import io.millrace.live.Editors;
import io.millrace.live.LiveRoutes;
import io.millrace.live.PolledClients;
import io.millrace.mail.MailCourier;
import io.millrace.mail.MailOutbox;
import io.millrace.mail.SmtpClient;
import io.millrace.mcp.AgentToolRoutes;
import io.millrace.mcp.McpRoutes;
import io.millrace.mcp.McpServerService;
import io.millrace.mcp.McpSessionService;
import io.millrace.net.AddressGuard;
import io.millrace.net.DomainRecords;
import io.millrace.net.HostGuard;
import io.millrace.net.OutboundHttp;
import io.millrace.net.OutboundLimits;
import io.millrace.net.WebAddress;
import io.millrace.node.NodeVerticle;
import io.millrace.oauth.OAuthAppService;
import io.millrace.oauth.OAuthRoutes;
import io.millrace.oauth.TokenExchange;
import io.millrace.page.PageRoutes;
import io.millrace.persistence.Database;
import io.millrace.persistence.Desk;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceCatalogue;
import io.millrace.piece.PieceRoutes;
import io.millrace.piece.PieceService;
import io.millrace.piece.TagRoutes;
import io.millrace.piece.builtin.Builtins;
import io.millrace.piece.builtin.GraphqlPiece;
import io.millrace.piece.builtin.HttpPiece;
import io.millrace.piece.builtin.SmtpPiece;
import io.millrace.piece.builtin.SubflowsPiece;
import io.millrace.piece.builtin.TablesPiece;
import io.millrace.platform.Embedders;
import io.millrace.platform.PlatformRoutes;
import io.millrace.platform.PlatformService;
import io.millrace.project.AlertRoutes;
import io.millrace.project.AlertService;
import io.millrace.project.OfferedPieces;
import io.millrace.project.ProjectGateService;
import io.millrace.project.ProjectPeople;
import io.millrace.project.ProjectRoleRoutes;
import io.millrace.project.ProjectRoleService;
import io.millrace.project.ProjectRoutes;
import io.millrace.project.ProjectService;
import io.millrace.release.ReleaseParts;
import io.millrace.run.RoomStepServices;
import io.millrace.run.RunAdministrationRoutes;
import io.millrace.run.RunCancellation;
import io.millrace.run.RunEndings;
import io.millrace.run.RunEntrance;
import io.millrace.run.RunEventRoutes;
import io.millrace.run.RunMemory;
import io.millrace.run.RunMetricsRoutes;
import io.millrace.run.RunRetry;
import io.millrace.run.RunRoutes;
import io.millrace.run.RunService;
import io.millrace.run.RunShards;
import io.millrace.run.RunSlots;
import io.millrace.run.RunStartRoutes;
import io.millrace.run.RunStarts;
import io.millrace.run.RunVerticle;
import io.millrace.run.RunWatch;
import io.millrace.run.SingleActions;
import io.millrace.run.StartKeyService;
import io.millrace.run.WaitpointService;
import io.millrace.scim.ScimGroupService;
import io.millrace.scim.ScimRoutes;
import io.millrace.scim.ScimUserService;
import io.millrace.sealing.SealingRoutes;
import io.millrace.sealing.SealingService;
import io.millrace.secret.Passwords;
import io.millrace.secret.SecretBox;
import io.millrace.secret.ServerSecrets;
import io.millrace.signon.SignOnRoutes;
import io.millrace.store.StoreEntryRoutes;
import io.millrace.store.StoreService;
import io.millrace.table.TableStates;
import io.millrace.table.TableSteps;
import io.millrace.template.TemplateRoutes;
import io.millrace.template.TemplateService;
import io.millrace.trigger.AppEventService;
import io.millrace.trigger.AppSecrets;
import io.millrace.trigger.Misfire;
import io.millrace.trigger.TriggerEventRoutes;
import io.millrace.trigger.TriggerEventService;
import io.millrace.trigger.TriggerHooks;
import io.millrace.trigger.TriggerPieces;
import io.millrace.trigger.TriggerRoutes;
import io.millrace.trigger.TriggerRules;
import io.millrace.trigger.TriggerService;
import io.millrace.trigger.TriggerTally;
import io.millrace.trigger.TriggerTestService;
import io.millrace.trigger.TriggerVerticle;
import io.millrace.variable.VariableRoutes;
import io.millrace.variable.VariableService;
import io.millrace.webhook.AppEventRoutes;
import io.millrace.webhook.HumanInputRoutes;
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
import java.util.TreeSet;
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
    private final FileStorage storage;
    private final RunWatch watch;
    private final Editors editors = new Editors();
    private final PolledClients polledClients = new PolledClients();
    private final AuditTrail trail;
    private final SecretBox box;
    private final SealingService sealing;
    private final MailOutbox mail;
    private final EventPost eventPost;
    private final PlatformService platforms;
    private final List<Desk> desks;
    private final SignInLimit signInLimit;
    private final SignInLimit codeLimit;

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
        this.trail = new AuditTrail(clock, new DestinationOutbox());
        this.box = new SecretBox(secrets.encryptionKey(), secrets.knownKeys());
        this.sealing = new SealingService(
                vertx, database, box, Optional.of(config.data().directory()).filter(_ -> secrets.keyIsKept()));
        this.mail = new MailOutbox(config.smtp().isPresent(), box, clock);
        this.platforms =
                new PlatformService(bus, database, box, DomainRecords.of(vertx), config.telemetryEnabled(), clock);
        this.eventPost =
                new EventPost(bus, outbound, publicUrl, config.outbound().eventTimeout(), clock);
        this.signInLimit = new SignInLimit(config.signIn(), config.http().proxies(), clock);
        this.codeLimit = SignInLimit.ofCodes(config.signIn(), config.http().proxies(), clock);
        this.storage = storage();
        this.addresses = new FileAddresses(secrets.jwtSecret(), publicUrl, clock);
        this.desks = desks(database, secrets, onlyNode);
    }

    CodeRunner code() {
        return code;
    }

    NodeVerticle node() {
        return node;
    }

    SealingService sealing() {
        return sealing;
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
                new RunSlots(clock, (delayMs, action) -> vertx.setTimer(delayMs, _ -> action.run())),
                memory,
                watch,
                clock);
    }

    TriggerVerticle.Parts triggerParts(Database database) {
        return new TriggerVerticle.Parts(
                database,
                bus,
                new TriggerPieces(bus, pieces::find),
                hooks,
                tally,
                triggerRules,
                values,
                new RunEntrance(bus, database, clock),
                nodeId,
                clock);
    }

    /** Who sends the platform's mail; nobody without a mail server. */
    Optional<MailCourier> mailCourier(Database database) {
        // The operator may well name a server in a private network; the guard is for what others name.
        var anywhere = new HostGuard(vertx, AddressGuard.allowing("0.0.0.0/0,::/0"));
        return config.smtp()
                .map(settings -> new MailCourier(settings, database, new SmtpClient(vertx, anywhere), box, clock));
    }

    /** Who tells receivers of alerts; nobody without a mail server. */
    Optional<AlertCourier> alertCourier(Database database) {
        return config.smtp().map(_ -> new AlertCourier(database, platforms, mail, clock));
    }

    /** Who carries events out. */
    EventCourier eventCourier(Database database) {
        return new EventCourier(database, eventPost, box, config.outbound().eventTimeout(), clock);
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
        all.add(GraphqlPiece.create(outbound));
        all.add(new SmtpPiece(new SmtpClient(vertx, new HostGuard(vertx, guard()))));
        all.add(new SubflowsPiece(new SubflowCalls(bus, shards, outbound, publicUrl)));
        all.add(new TablesPiece(new TableSteps(bus)));
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

    private FileStorage storage() {
        var settings = config.files();
        return new FileStorage(
                settings.bucket()
                        .map(bucket -> new S3Storage(
                                outbound,
                                new S3Settings(
                                        WebAddress.parse(bucket.endpoint()),
                                        bucket.name(),
                                        bucket.region(),
                                        bucket.signedUrls()),
                                keys(bucket.access()),
                                clock)),
                settings.isWritten());
    }

    private BucketKeys keys(Config.BucketAccess access) {
        return switch (access) {
            case Config.BucketAccess.Key(var id, var secret) -> BucketKeys.of(BucketKey.lasting(id, secret));
            case Config.BucketAccess.Role(var arn, var tokenFile, var service) ->
                new RoleKeys(vertx, outbound, new RoleKeys.Role(arn, tokenFile, WebAddress.parse(service)), clock);
        };
    }

    private FileService files(Database database) {
        return new FileService(vertx, database, addresses, storage, fileLimits(), clock);
    }

    private FileService.Limits fileLimits() {
        var retention = Duration.ofDays(config.data().retentionDays());
        return new FileService.Limits(config.engine().fileBytesMax(), retention);
    }

    private List<Desk> desks(Database database, ServerSecrets secrets, boolean onlyNode) {
        var files = files(database);
        var triggers = new TriggerService(database, new TriggerPieces(bus, pieces::find), hooks, triggerRules, clock);
        var flows = flows(database, triggers, files, onlyNode);
        var connections = new ConnectionRoom(
                vertx,
                bus,
                database,
                box,
                new TokenExchange(vertx, outbound, clock),
                flows.connections(),
                trail,
                clock);
        var projects = new ProjectService(bus, database, platforms, flows, connections.projectConnections(), clock);
        var all = new ArrayList<Desk>(connections.desks());
        var tokens = new AccessTokens(secrets.jwtSecret(), clock);
        all.addAll(peopleDesks(database, tokens, projects));
        all.addAll(flowDesks(database, flows, triggers, files));
        all.addAll(runDesks(database));
        all.addAll(GitRooms.releases(new ReleaseParts(
                vertx,
                bus,
                database,
                flows.ofProject(),
                connections.states(),
                new TableStates(config.tables().fieldsMax(), clock),
                files,
                trail,
                GitRooms.deadlineMs(config),
                config.triggers().hooksTimeout(),
                onlyNode,
                clock)));
        all.add(sealing);
        all.add(new AnalyticsService(database, clock));
        all.addAll(TableRooms.desks(bus, database, config, clock));
        all.addAll(List.of(
                projects,
                new ProjectGateService(database),
                new EventDestinationService(database, eventPost, box, clock),
                new AlertService(database, clock),
                new AuditService(database, Duration.ofDays(config.data().retentionDays()), clock),
                files,
                new SliceService(vertx, database, storage, clock),
                new UploadService(database, addresses, storage, fileLimits(), clock),
                values,
                new PieceService(pieces, new OfferedPieces(database, platforms)),
                NpmRooms.installedPieces(vertx, config, bus, database, pieces, node, publicUrl, tokens, clock),
                new ProjectTokenService(vertx, database, box, clock),
                new OAuthAppService(bus, database, box, clock),
                new McpServerService(bus, database, box, clock),
                new McpSessionService(bus, database, clock),
                new VariableService(bus, database, box, trail, clock),
                GitRooms.repositories(vertx, config, database, box, guard(), clock)));
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
    private List<Desk> peopleDesks(Database database, AccessTokens tokens, ProjectService projects) {
        var roles = new ProjectRoleService(bus, database, trail, clock);
        var users = new UserService(bus, database, platforms, projects, clock);
        var invitations = new InvitationService(database, platforms, users, roles, tokens, mail, publicUrl, clock);
        var reception = new Reception(
                platforms, projects, tokens, invitations, trail, config.signIn().openSignUp(), clock);
        var people = new ProjectPeople(roles, clock);
        var passwords = new Passwords(vertx);
        var all = new ArrayList<>(OutsideRooms.desks(
                vertx,
                bus,
                database,
                config,
                outbound,
                publicUrl,
                tokens,
                box,
                platforms,
                projects,
                roles,
                new OutsideAccounts(platforms, reception),
                trail,
                clock));
        all.addAll(List.of(
                platforms,
                new SignInService(database, platforms, passwords, reception),
                new MailedCodeService(database, platforms, mail, box, reception),
                new RecoveryService(database, platforms, passwords, mail, box, trail, publicUrl, reception),
                new TokenService(database, tokens, clock),
                new ApiKeyService(database, clock),
                new GrantService(bus, database, tokens, clock),
                new TokenExchangeService(database, tokens, clock),
                new ScimUserService(database, new DirectoryAccounts(platforms, reception), people, publicUrl),
                new ScimGroupService(
                        bus, database, projects, people, config.signIn().scimRole(), publicUrl),
                roles,
                users,
                invitations));
        return all;
    }

    /** Flows, and what belongs to one while it is built. */
    private List<Desk> flowDesks(Database database, FlowService flows, TriggerService triggers, FileService files) {
        return List.of(
                flows,
                triggers,
                new TriggerTestService(bus, database, new TriggerPieces(bus, pieces::find), hooks),
                new TriggerEventService(database),
                new AppEventService(
                        database, pieces, AppSecrets.read(config.triggers().appSecrets()), publicUrl),
                new TemplateService(database, clock),
                new FlowLimitService(bus, database, clock),
                new FolderService(bus, database, trail, clock),
                new SampleDataService(database, files, clock),
                new BadgeService(database, pieces::find, clock));
    }

    private List<Desk> runDesks(Database database) {
        return List.of(
                new RunService(vertx, database, nodeId, config.postgres().patience(), clock),
                new RunEntrance(bus, database, clock),
                new StartKeyService(
                        vertx,
                        database,
                        nodeId,
                        config.webhooks().keysKept(),
                        config.postgres().patience(),
                        clock),
                new RunStarts(bus, database, shards, clock),
                new RunEndings(bus, database, clock),
                new RunCancellation(bus, database, shards, nodeId),
                new RunRetry(vertx, bus, database, shards, nodeId, config.data().retentionDays(), clock),
                new WaitpointService(bus, database, shards, nodeId, publicUrl, clock));
    }

    /** Routes of all rooms. */
    List<HttpModule> modules() {
        var all = new ArrayList<HttpModule>();
        // Routes are tried in this order, and these are asked for the most.
        all.add(new WebhookRoutes(bus, config.webhooks()));
        all.addAll(GitRooms.modules(bus, config));
        all.addAll(TableRooms.modules(bus));
        all.addAll(List.of(
                new AppEventRoutes(bus, config.webhooks()),
                new TriggerRoutes(bus, config.triggers().hooksTimeout().toMillis() + 10_000),
                new HumanInputRoutes(bus),
                new ResumeRoutes(bus, shards, config.webhooks()),
                new PlatformRoutes(
                        bus,
                        config,
                        Server.VERSION,
                        List.copyOf(new TreeSet<>(
                                AppSecrets.read(config.triggers().appSecrets()).keySet())),
                        () -> node.trouble().map(Optional::isEmpty)),
                new AuditRoutes(bus),
                new EventDestinationRoutes(bus, config.outbound().eventTimeout().toMillis() + 5_000),
                new SealingRoutes(bus),
                new AnalyticsRoutes(bus),
                new SignInRoutes(bus, signInLimit, codeLimit),
                new SigningKeyRoutes(bus),
                new ManagedSignInRoutes(bus, signInLimit),
                new SignOnRoutes(bus, signInLimit, publicUrl),
                new ProjectTokenRoutes(bus, publicUrl),
                new TagRoutes(bus),
                new ApiKeyRoutes(bus),
                new StoreEntryRoutes(bus),
                new FileRoutes(bus, storage.any()),
                new FileUploadRoutes(
                        bus,
                        config.engine().fileBytesMax(),
                        storage.isWritten()
                                && config.files()
                                        .bucket()
                                        .filter(Config.Bucket::signedUrls)
                                        .isPresent()),
                new PieceRoutes(bus),
                new OAuthRoutes(bus),
                new ConnectionRoutes(bus),
                new GlobalConnectionRoutes(bus),
                new VariableRoutes(bus),
                new ProjectRoutes(bus),
                new ProjectRoleRoutes(bus),
                new AlertRoutes(bus),
                new UserRoutes(bus),
                new InvitationRoutes(bus),
                new PageRoutes(
                        bus,
                        config.smtp().isPresent(),
                        new Embedders(config.http().embedOrigins()),
                        publicUrl),
                new GrantRoutes(bus, publicUrl, signInLimit::admit),
                new McpRoutes(
                        bus,
                        config,
                        publicUrl,
                        Server.VERSION,
                        new SingleActions(
                                stepServices, pieces::find, config.engine().flowTimeout(), clock)),
                new AgentToolRoutes(outbound),
                new ScimRoutes(bus, publicUrl),
                new FlowRoutes(bus),
                new FlowLimitRoutes(bus),
                new TemplateRoutes(bus, clock),
                new FolderRoutes(bus),
                new SampleDataRoutes(bus),
                new RunRoutes(bus),
                new RunStartRoutes(bus),
                new RunEventRoutes(bus, watch),
                new LiveRoutes(bus, watch, editors, polledClients),
                new RunAdministrationRoutes(bus),
                new RunMetricsRoutes(bus),
                new TriggerEventRoutes(bus),
                new ApiDocumentRoutes()));
        return all;
    }
}
