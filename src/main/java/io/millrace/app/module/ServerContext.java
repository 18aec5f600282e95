package io.millrace.app.module;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.identity.AccessTokens;
import io.millrace.authoring.flow.testcase.FlowTestLimits;
import io.millrace.base.bus.Bus;
import io.millrace.base.cluster.Cluster;
import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.config.LiveConfig;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.secret.LinkSecrets;
import io.millrace.base.secret.SecretBox;
import io.millrace.base.secret.SecretWork;
import io.millrace.base.secret.ServerSecrets;
import io.millrace.base.trace.Tracer;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.recovery.LeaseEpochs;
import io.millrace.integration.event.DestinationOutbox;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.isolation.SandboxBase;
import io.millrace.sandbox.node.network.ConnectionGateway;
import io.millrace.workspace.project.ProjectEventSubjects;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Shared dependencies of every {@link ServerModule}. A module takes the dependencies of its services from here and passes only
 * those on: no service receives the context itself.
 */
public record ServerContext(
        Core core,
        ClusterAccess nodes,
        NetworkAccess network,
        Security security,
        CodeIsolation sandbox,
        Meters observation) {
    /**
     * Parts that nearly every module uses.
     *
     * @param live the settings that a reload may change
     */
    public record Core(Vertx vertx, Config config, LiveConfig live, Bus bus, Database database, InstantSource clock) {}

    public record ClusterAccess(Cluster cluster, Node node) {}

    /**
     * Addresses and clients of calls.
     *
     * @param publicUrl address under which clients reach the server
     * @param guard policy of the addresses that an outbound call may reach
     * @param outbound client for calls of flows
     * @param services client for calls of the server itself, with a circuit breaker for each host
     * @param vendorOrigins maps the host of a provider of models to its base address
     */
    public record NetworkAccess(
            Supplier<String> publicUrl,
            AddressGuard guard,
            OutboundHttp outbound,
            OutboundHttp services,
            UnaryOperator<String> vendorOrigins) {}

    /**
     * Secrets, tokens and the audit log.
     *
     * @param secretWork processor work of new passwords and keys
     */
    public record Security(
            ServerSecrets secrets, SecretBox box, AccessTokens tokens, AuditLog auditLog, SecretWork secretWork) {}

    /**
     * Processes that run untrusted code.
     *
     * @param isolation sandbox of processes that run untrusted code
     * @param gateway proxy for processes that must not open connections
     * @param directory root of the files that such processes read
     */
    public record CodeIsolation(Isolation isolation, ConnectionGateway gateway, Path directory) {}

    /**
     * Figures and traces.
     *
     * @param metrics meters of libraries
     * @param meters meters of the server
     * @param tracer tracer of runs and calls
     */
    public record Meters(PrometheusMeterRegistry metrics, MeterSet meters, Tracer tracer) {}

    public static final String VERSION = "0.1.0";

    /** Consecutive unanswered calls to an external host that open its circuit breaker for the server's own calls. */
    private static final int SERVICE_FAILURES_MAX = 5;

    private static final Duration SERVICE_PAUSE = Duration.ofSeconds(10);

    /**
     * Identity of a process in the cluster.
     *
     * @param isAlone true if no other process uses its database
     * @param lease terms of the lease by which it owns runs
     */
    public record Node(String id, RunShards shards, boolean isAlone, LeaseEpochs lease) {
        public Node(String id, RunShards shards, boolean isAlone) {
            this(id, shards, isAlone, new LeaseEpochs(isAlone));
        }
    }

    public Vertx vertx() {
        return core.vertx();
    }

    public Config config() {
        return core.config();
    }

    public Bus bus() {
        return core.bus();
    }

    public Database database() {
        return core.database();
    }

    public InstantSource clock() {
        return core.clock();
    }

    FlowTestLimits flowTestLimits() {
        var bounds = config().content().bounds();
        return FlowTestLimits.of(bounds.flowTests().max(), bounds.flowTests().sizeKb());
    }

    RowBound projectRows() {
        return new RowBound(config().content().bounds().projectRowsMax(), "AP_PROJECT_ROWS_MAX");
    }

    public static ServerContext of(
            Vertx vertx,
            LiveConfig live,
            Bus bus,
            Database database,
            Cluster cluster,
            Node node,
            Supplier<String> publicUrl,
            ServerSecrets secrets,
            PrometheusMeterRegistry metrics,
            MeterSet meters,
            Tracer tracer,
            InstantSource clock,
            UnaryOperator<String> vendorOrigins,
            SecretWork secretWork) {
        var config = live.get();
        var guard = guard(config);
        var outbound = new OutboundHttp(vertx, guard, outboundLimits(config), meters)
                .tracedBy(tracer, clock)
                .fencedBy(node.lease()::exchangeFence);
        return new ServerContext(
                new Core(vertx, config, live, bus, database, clock),
                new ClusterAccess(cluster, node),
                new NetworkAccess(
                        publicUrl,
                        guard,
                        outbound,
                        outbound.withCircuitBreakers(SERVICE_FAILURES_MAX, SERVICE_PAUSE),
                        vendorOrigins),
                new Security(
                        secrets,
                        new SecretBox(secrets.encryptionKey(), secrets.knownKeys()),
                        new AccessTokens(linkSecrets(config, secrets), clock),
                        new AuditLog(new ProjectEventSubjects(), clock, new DestinationOutbox()),
                        secretWork),
                new CodeIsolation(
                        isolation(config),
                        new ConnectionGateway(
                                vertx,
                                config.storage().data().directory().resolve("gateway"),
                                config.packages().requiresNetworkFence(),
                                node.lease().acting()),
                        sandboxDirectory(config)),
                new Meters(metrics, meters, tracer));
    }

    LinkSecrets linkSecrets() {
        return linkSecrets(core.config(), security.secrets());
    }

    private static LinkSecrets linkSecrets(Config config, ServerSecrets secrets) {
        return new LinkSecrets(
                secrets.jwtSecret(), config.storage().data().secrets().previousJwtSecret());
    }

    /** Address under which callers of flows reach the server. */
    Supplier<String> callerUrl() {
        return core.config().network().http()::callerUrl;
    }

    Duration retention() {
        return Duration.ofDays(core.config().storage().data().retentionDays());
    }

    private static Isolation isolation(Config config) {
        var data = config.storage().data();
        return new Isolation(new Isolation.Settings(
                data.directory().resolve("isolation"),
                data.accounts().code(),
                data.accounts().piece(),
                data.accounts().processes(),
                data.accounts().firstProcess(),
                config.packages().code().backoff().processorsLeft()));
    }

    private static Path sandboxDirectory(Config config) {
        var data = config.storage().data();
        try {
            var base = SandboxBase.choose(
                    data.directory(),
                    List.of(data.accounts().code(), data.accounts().piece()));
            SandboxBase.adopt(data.directory(), base, NpmModule.PIECES);
            return base;
        } catch (IOException unusable) {
            throw new UncheckedIOException(
                    "AP_DATA_DIR " + data.directory() + " cannot hold files for processes of code", unusable);
        }
    }

    public static AddressGuard guard(Config config) {
        try {
            return AddressGuard.allowing(config.network().outbound().allowList());
        } catch (IllegalArgumentException malformed) {
            throw new BadSetting(malformed.getMessage());
        }
    }

    /** Limits of outbound calls: a response may be as large as a file. */
    private static OutboundLimits outboundLimits(Config config) {
        var limits = OutboundLimits.defaults();
        var fileBytesMax = Math.toIntExact(config.runs().engine().sizes().fileBytesMax());
        var outbound = config.network().outbound();
        return limits.withBodyBytesMax(Math.max(limits.bodyBytesMax(), fileBytesMax))
                .withConnections(outbound.connectionsPerHostMax(), outbound.waitingPerHostMax());
    }
}
