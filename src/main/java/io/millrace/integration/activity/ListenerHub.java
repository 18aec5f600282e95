package io.millrace.integration.activity;

import io.millrace.base.bus.Bus;
import io.millrace.engine.run.RunQueries;
import io.millrace.engine.run.Runs;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listeners of one event loop. While there are any, reads new events once a second for all of them, and at once after a notice
 * of a run. A listener that has not caught up reads for itself. Confined to its event loop.
 */
final class ListenerHub {
    private static final Logger LOG = LoggerFactory.getLogger(ListenerHub.class);

    private static final long ROUND_MS = 1_000;
    private static final long AFTER_NOTICE_MS = 50;
    private static final int ROUNDS_UNTIL_RENEWAL = 20;
    private static final int LIMIT = 200;

    /** Events of one read with steps, which takes a log for each run. */
    private static final int LIMIT_WITH_STEPS = 20;

    private static final long DEADLINE_MS = 20_000;

    private final Vertx vertx;
    private final Bus bus;
    private final boolean withSteps;
    private final int limit;
    private final Set<ProjectListener> listeners = new LinkedHashSet<>();
    private final List<Bus.OpenEndpoint> subscriptions = new ArrayList<>();
    private EventPosition position = EventPosition.before(0);
    private boolean reading;
    private boolean readAgain;
    private boolean soon;
    private long timer;
    private long rounds;

    /** @param withSteps whether the steps of a run precede the event of its pause or end */
    ListenerHub(Vertx vertx, Bus bus, boolean withSteps) {
        this.vertx = vertx;
        this.bus = bus;
        this.withSteps = withSteps;
        this.limit = withSteps ? LIMIT_WITH_STEPS : LIMIT;
    }

    /** Adds a listener whose recording has begun. */
    void add(ProjectListener listener) {
        if (listener.isClosed()) {
            return;
        }
        if (listeners.isEmpty()) {
            begin();
        }
        listeners.add(listener);
        catchUp(listener);
    }

    void remove(ProjectListener listener) {
        if (listeners.remove(listener) && listeners.isEmpty()) {
            vertx.cancelTimer(timer);
            subscriptions.forEach(Bus.OpenEndpoint::close);
            subscriptions.clear();
            position = EventPosition.before(0);
        }
    }

    private void begin() {
        rounds = 0;
        timer = vertx.setPeriodic(ROUND_MS, _ -> round());
        subscriptions.add(bus.on(Runs.Ended.class, ended -> noticed(ended.projectId())));
        subscriptions.add(bus.on(Runs.Shown.class, shown -> noticed(shown.projectId())));
        subscriptions.add(bus.on(Runs.Retried.class, retried -> noticed(retried.projectId())));
    }

    private void noticed(String projectId) {
        if (!soon
                && listeners.stream().anyMatch(listener -> listener.projectId().equals(projectId))) {
            soon = true;
            vertx.setTimer(AFTER_NOTICE_MS, _ -> {
                soon = false;
                read();
            });
        }
    }

    private void round() {
        read();
        if (++rounds % ROUNDS_UNTIL_RENEWAL == 0) {
            bus.ask(new ProjectEvents.Renew(projects()), DEADLINE_MS)
                    .onFailure(cause ->
                            LOG.warn("cannot renew the recording of events, retrying: {}", cause.getMessage()));
        }
    }

    private List<String> projects() {
        return listeners.stream().map(ProjectListener::projectId).distinct().toList();
    }

    private void catchUp(ProjectListener listener) {
        if (!listeners.contains(listener)) {
            return;
        }
        if (listener.pauses()) {
            vertx.setTimer(AFTER_NOTICE_MS, _ -> catchUp(listener));
            return;
        }
        bus.ask(new ProjectEvents.Read(List.of(listener.projectId()), listener.position(), limit), DEADLINE_MS)
                .compose(this::withSteps)
                .onSuccess(read -> {
                    var batch = read.batch();
                    for (var event : batch.events()) {
                        if (!listener.send(event.position(), read.frame(event))) {
                            vertx.setTimer(AFTER_NOTICE_MS, _ -> catchUp(listener));
                            return;
                        }
                    }
                    listener.reached(batch.upTo());
                    if (listener.isClosed()) {
                        return;
                    }
                    if (batch.events().size() == limit || position.isAfter(batch.upTo())) {
                        catchUp(listener);
                    } else if (reading || !listener.goLive()) {
                        // A read in progress may lack the project of this listener, and advances the position of the
                        // hub.
                        vertx.setTimer(AFTER_NOTICE_MS, _ -> catchUp(listener));
                    } else if (position.transaction() == 0) {
                        position = batch.upTo();
                    }
                })
                .onFailure(_ -> listener.end(ProjectListener.End.UNAVAILABLE));
    }

    /** One read at a time, for all listeners that have caught up. */
    private void read() {
        if (reading) {
            readAgain = true;
            return;
        }
        var live = projectsOfLive();
        if (live.isEmpty()) {
            return;
        }
        reading = true;
        bus.ask(new ProjectEvents.Read(live, position, limit), DEADLINE_MS)
                .compose(this::withSteps)
                .onSuccess(read -> {
                    deliver(read);
                    readAgain |= read.batch().events().size() == limit;
                })
                .onFailure(cause -> LOG.debug("cannot read events of projects, retrying", cause))
                .onComplete(_ -> {
                    reading = false;
                    if (readAgain) {
                        readAgain = false;
                        read();
                    }
                });
    }

    private List<String> projectsOfLive() {
        return live().stream().map(ProjectListener::projectId).distinct().toList();
    }

    private List<ProjectListener> live() {
        return listeners.stream().filter(ProjectListener::isLive).toList();
    }

    private Future<EventTexts> withSteps(ProjectEvents.Batch batch) {
        var runs = batch.events().stream()
                .flatMap(event -> event.runWithSteps().stream())
                .distinct()
                .toList();
        return withSteps && !runs.isEmpty()
                ? bus.ask(new RunQueries.FindSteps(runs), DEADLINE_MS).map(steps -> new EventTexts(batch, steps))
                : Future.succeededFuture(new EventTexts(batch, Map.of()));
    }

    private void deliver(EventTexts read) {
        var live = live();
        for (var event : read.batch().events()) {
            for (var listener : live) {
                if (listener.isLive()
                        && listener.projectId().equals(event.projectId())
                        && !listener.send(event.position(), read.frame(event))) {
                    vertx.setTimer(AFTER_NOTICE_MS, _ -> catchUp(listener));
                }
            }
        }
        live.stream()
                .filter(ProjectListener::isLive)
                .forEach(listener -> listener.reached(read.batch().upTo()));
        position = read.batch().upTo();
    }
}
