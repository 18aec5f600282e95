package io.millrace.base.http;

import io.millrace.base.config.Config;

/** What the HTTP verticles of all event loops have in common: memory and disk of bodies, and the number of connections. */
public record SharedLimits(BodyBudget bodies, BodySpool spool, ConnectionLimits connections) {
    private static final String SPOOL = "spool";

    public static SharedLimits of(Config config) {
        var limits = config.http().limits();
        return new SharedLimits(
                new BodyBudget(limits.bodyMemoryBytesMax()),
                new BodySpool(config.data().directory().resolve(SPOOL), limits.bodyDiskBytesMax()),
                ConnectionLimits.of(limits, config.http().proxies()));
    }
}
