package io.millrace.http;

import io.millrace.config.Config;

/** What the HTTP verticles of all event loops have in common: the memory of bodies, and the number of connections. */
public record SharedLimits(BodyBudget bodies, ConnectionLimits connections) {
    public static SharedLimits of(Config.Http settings) {
        return new SharedLimits(
                new BodyBudget(settings.limits().bodyMemoryBytesMax()),
                ConnectionLimits.of(settings.limits(), settings.proxies()));
    }
}
