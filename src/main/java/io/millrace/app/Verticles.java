package io.millrace.app;

import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Supplier;

/**
 * The verticles of a server. They stop in the reverse order of their start; those that look for work may be stopped before the
 * others.
 */
final class Verticles {
    private final Vertx vertx;

    /** Stop actions, in the order of the starts. */
    private final List<Stop> stops = new ArrayList<>();

    /** First index of the verticles that look for work; 0, as the end index, if there are none. */
    private int workFrom;

    private int workTo;

    private record Stop(Class<?> verticle, Supplier<Future<Void>> action) {}

    Verticles(Vertx vertx) {
        this.vertx = vertx;
    }

    Future<Void> deploy(Deployable verticle) {
        return vertx.deployVerticle(verticle, new DeploymentOptions()).map(deployment -> {
            stops.add(new Stop(verticle.getClass(), () -> vertx.undeploy(deployment)));
            return null;
        });
    }

    Future<Void> deploy(SharedEventLoop eventLoop, Deployable verticle) {
        return eventLoop.deploy(verticle).map(stop -> {
            stops.add(new Stop(verticle.getClass(), stop));
            return null;
        });
    }

    void beginWork() {
        workFrom = stops.size();
        workTo = workFrom;
    }

    void endWork() {
        workTo = stops.size();
    }

    Future<Void> stopWork() {
        var work = List.copyOf(stops.subList(workFrom, workTo));
        stops.removeAll(work);
        workTo = workFrom;
        return stopAll(work);
    }

    Future<Void> stop() {
        return stopAll(stops);
    }

    /** One kind after the other; the instances of one kind together, because each may take as long as it may. */
    private static Future<Void> stopAll(List<Stop> started) {
        var kinds = new LinkedHashMap<Class<?>, List<Supplier<Future<Void>>>>();
        started.reversed()
                .forEach(stop -> kinds.computeIfAbsent(stop.verticle(), _ -> new ArrayList<>())
                        .add(stop.action()));
        var stopped = Future.<Void>succeededFuture();
        for (var instances : kinds.values()) {
            stopped = stopped.eventually(
                    () -> Future.join(instances.stream().map(Supplier::get).toList()));
        }
        return stopped;
    }
}
