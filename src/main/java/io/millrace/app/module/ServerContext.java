package io.millrace.app.module;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.identity.AccessTokens;
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
import io.millrace.base.secret.ServerSecrets;
import io.millrace.base.trace.Tracer;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.recovery.LeaseEpochs;
import io.millrace.integration.event.DestinationOutbox;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.isolation.SandboxBase;
import io.millrace.sandbox.node.ConnectionGateway;
import io.millrace.workspace.project.ProjectEventSubjects;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/**
 * What every {@link ServerModule} stands on. A module takes what its modules need and hands just that to each: no module ever sees
 * the context itself.
 *
 * @param live the settings that a reload may change
 * @param cluster the nodes that work on the same database
 * @param node who this process is, among those that work on the same database
 * @param publicUrl address under which clients reach the server
 * @param guard the addresses that a call to the outside may reach
 * @param outbound calls that flows make
 * @param services the server's own calls to others, with a circuit breaker for each host
 * @param isolation what stands around processes that run others' code
 * @param gateway connects for processes that may not make connections themselves
 * @param sandboxDirectory below which the files lie that such processes read
 * @param metrics what libraries count
 * @param meters what the server counts of itself
 * @param tracer takes what runs and calls did
 */
public record ServerContext(
        Vertx vertx,
        Config config,
        LiveConfig live,
        Bus bus,
        Database database,
        Cluster cluster,
        Node node,
        Supplier<String> publicUrl,
        ServerSecrets secrets,
        SecretBox box,
        AccessTokens tokens,
        AddressGuard guard,
        OutboundHttp outbound,
        OutboundHttp services,
        AuditLog auditLog,
        Isolation isolation,
        ConnectionGateway gateway,
        Path sandboxDirectory,
        PrometheusMeterRegistry metrics,
        MeterSet meters,
        Tracer tracer,
        InstantSource clock) {
    /** Release of this server. */
    public static final String VERSION = "0.1.0";

    /** Calls in a row that a host of others leaves unanswered before the server itself does not call it for a while. */
    private static final int SERVICE_FAILURES_MAX = 5;

    private static final Duration SERVICE_PAUSE = Duration.ofSeconds(10);

    /**
     * A process as others see it.
     *
     * @param isAlone whether no other process works on its database
     * @param lease terms of the lease by which it owns runs
     */
    public record Node(String id, RunShards shards, boolean isAlone, LeaseEpochs lease) {
        public Node(String id, RunShards shards, boolean isAlone) {
            this(id, shards, isAlone, new LeaseEpochs(isAlone));
        }
    }

    /** Bound of the rows of each kind that members create in a project. */
    RowBound projectRows() {
        return new RowBound(config().bounds().projectRowsMax(), "AP_PROJECT_ROWS_MAX");
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
            InstantSource clock) {
        var config = live.get();
        var guard = guard(config);
        var outbound = new OutboundHttp(vertx, guard, outboundLimits(config), meters)
                .tracedBy(tracer, clock)
                .fencedBy(node.lease()::exchangeFence);
        return new ServerContext(
                vertx,
                config,
                live,
                bus,
                database,
                cluster,
                node,
                publicUrl,
                secrets,
                new SecretBox(secrets.encryptionKey(), secrets.knownKeys()),
                new AccessTokens(linkSecrets(config, secrets), clock),
                guard,
                outbound,
                outbound.withCircuitBreakers(SERVICE_FAILURES_MAX, SERVICE_PAUSE),
                new AuditLog(new ProjectEventSubjects(), clock, new DestinationOutbox()),
                isolation(config),
                new ConnectionGateway(
                        vertx,
                        config.data().directory().resolve("gateway"),
                        config.packages().requiresNetworkFence()),
                sandboxDirectory(config),
                metrics,
                meters,
                tracer,
                clock);
    }

    /** Secrets of links that leave the server. */
    LinkSecrets linkSecrets() {
        return linkSecrets(config, secrets);
    }

    private static LinkSecrets linkSecrets(Config config, ServerSecrets secrets) {
        return new LinkSecrets(secrets.jwtSecret(), config.data().previousJwtSecret());
    }

    /** Address under which callers of flows reach the server. */
    Supplier<String> callerUrl() {
        return config.http()::callerUrl;
    }

    /** How long what has ended is kept. */
    Duration retention() {
        return Duration.ofDays(config.data().retentionDays());
    }

    private static Isolation isolation(Config config) {
        var data = config.data();
        return new Isolation(new Isolation.Settings(
                data.directory().resolve("isolation"),
                data.accounts().code(),
                data.accounts().piece(),
                config.packages().codeBackoff().processorsLeft()));
    }

    private static Path sandboxDirectory(Config config) {
        var data = config.data();
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
            return AddressGuard.allowing(config.outbound().allowList());
        } catch (IllegalArgumentException malformed) {
            throw new BadSetting(malformed.getMessage());
        }
    }

    /** Whatever may be kept as a file may also be fetched. */
    private static OutboundLimits outboundLimits(Config config) {
        var limits = OutboundLimits.defaults();
        var fileBytesMax = Math.toIntExact(config.engine().fileBytesMax());
        var outbound = config.outbound();
        return limits.withBodyBytesMax(Math.max(limits.bodyBytesMax(), fileBytesMax))
                .withConnections(outbound.connectionsPerHostMax(), outbound.waitingPerHostMax());
    }
}
