package io.millrace.base.http.server;

import io.millrace.base.config.Config;
import io.millrace.base.config.LiveConfig;
import io.millrace.base.http.ApiRateLimit;
import io.millrace.base.http.body.BodyBudget;
import io.millrace.base.http.body.BodySpool;
import io.millrace.base.metrics.MeterSet;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * State shared by the HTTP verticles of all event loops.
 *
 * @param bodies memory of requests, which are weighed with the answers
 * @param answers memory of answers that callers have not read yet
 * @param spool disk of large bodies
 * @param rates rate limits of callers
 * @param meters metrics of requests
 * @param date of their answers
 * @param logging rule for logging requests, as currently set
 */
public record SharedLimits(
        BodyBudget bodies,
        AnswerBudget answers,
        BodySpool spool,
        ConnectionLimits connections,
        ApiRateLimit rates,
        MeterSet meters,
        AnswerDate date,
        Supplier<Config.Logging> logging) {
    private static final String SPOOL = "spool";

    public static SharedLimits of(LiveConfig live, MeterSet meters, InstantSource clock) {
        var config = live.get();
        var limits = config.network().http().limits();
        var bodies = new BodyBudget(limits.bodies().memoryBytesMax());
        var answers = new AnswerBudget(limits.bodies().memoryBytesMax(), bodies::hasHeapFor);
        bodies.weighWith(answers::used);
        return new SharedLimits(
                bodies,
                answers,
                new BodySpool(
                        config.storage().data().directory().resolve(SPOOL),
                        limits.bodies().diskBytesMax()),
                ConnectionLimits.of(limits, config.network().http().proxies()),
                new ApiRateLimit(() -> live.get().network().http().limits().rates(), meters, clock),
                meters,
                new AnswerDate(clock),
                () -> live.get().observation().logging());
    }
}
