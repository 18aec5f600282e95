package io.millrace;

import io.millrace.audit.AuditTrail;
import io.millrace.bus.Bus;
import io.millrace.config.BadSetting;
import io.millrace.config.Config;
import io.millrace.event.DestinationOutbox;
import io.millrace.identity.AccessTokens;
import io.millrace.isolation.Isolation;
import io.millrace.net.AddressGuard;
import io.millrace.net.OutboundHttp;
import io.millrace.net.OutboundLimits;
import io.millrace.persistence.Database;
import io.millrace.run.RunShards;
import io.millrace.secret.SecretBox;
import io.millrace.secret.ServerSecrets;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * What every {@link Wing} stands on. A wing takes what its rooms need and hands just that to each: no room ever sees
 * the ground itself.
 *
 * @param node who this process is, among those that work on the same database
 * @param publicUrl address under which clients reach the server
 * @param guard the addresses that a call to the outside may reach
 * @param isolation what stands around processes that run others' code
 */
record Ground(
        Vertx vertx,
        Config config,
        Bus bus,
        Database database,
        Node node,
        Supplier<String> publicUrl,
        ServerSecrets secrets,
        SecretBox box,
        AccessTokens tokens,
        AddressGuard guard,
        OutboundHttp outbound,
        AuditTrail trail,
        Isolation isolation,
        InstantSource clock) {

    /**
     * A process as others see it.
     *
     * @param isAlone whether no other process works on its database
     */
    record Node(String id, RunShards shards, boolean isAlone) {}

    static Ground of(
            Vertx vertx,
            Config config,
            Bus bus,
            Database database,
            Node node,
            Supplier<String> publicUrl,
            ServerSecrets secrets,
            InstantSource clock) {
        var guard = guard(config);
        return new Ground(
                vertx,
                config,
                bus,
                database,
                node,
                publicUrl,
                secrets,
                new SecretBox(secrets.encryptionKey(), secrets.knownKeys()),
                new AccessTokens(secrets.jwtSecret(), clock),
                guard,
                new OutboundHttp(vertx, guard, outboundLimits(config)),
                new AuditTrail(clock, new DestinationOutbox()),
                isolation(config),
                clock);
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
                data.accounts().piece()));
    }

    private static AddressGuard guard(Config config) {
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
        return limits.withBodyBytesMax(Math.max(limits.bodyBytesMax(), fileBytesMax));
    }
}
