package io.millrace.base.http.server;

import io.millrace.base.config.Config;
import io.millrace.base.config.LiveConfig;
import io.millrace.base.http.body.BodyBudget;
import io.millrace.base.http.body.BodySpool;
import java.util.function.Supplier;

/**
 * What the HTTP verticles of all event loops have in common.
 *
 * @param bodies memory of requests, which are weighed with the answers
 * @param answers memory of what callers have not read yet
 * @param spool disk of large bodies
 * @param logging which requests are logged, for now
 */
public record SharedLimits(
        BodyBudget bodies,
        AnswerBudget answers,
        BodySpool spool,
        ConnectionLimits connections,
        Supplier<Config.Logging> logging) {
    private static final String SPOOL = "spool";

    /** Of settings that never change. */
    public static SharedLimits of(Config config) {
        return of(new LiveConfig(config));
    }

    public static SharedLimits of(LiveConfig live) {
        var config = live.get();
        var limits = config.http().limits();
        var bodies = new BodyBudget(limits.bodyMemoryBytesMax());
        var answers = new AnswerBudget(limits.bodyMemoryBytesMax(), bodies::hasHeapFor);
        bodies.weighWith(answers::used);
        return new SharedLimits(
                bodies,
                answers,
                new BodySpool(config.data().directory().resolve(SPOOL), limits.bodyDiskBytesMax()),
                ConnectionLimits.of(limits, config.http().proxies()),
                () -> live.get().logging());
    }
}
