package io.millrace.authoring.flow.use;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.VersionStore;
import io.millrace.authoring.flow.step.Step;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.Tx;
import io.millrace.sandbox.expression.parser.References;
import io.millrace.workspace.connection.FlowConnections;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Use of connections in flows, and replacement of a connection (contract admin-api 7.6). */
public final class FlowConnectionChanges implements FlowConnections {
    private static final String INPUT = "input";
    private static final String AUTH = "auth";

    private final Bus bus;
    private final InstantSource clock;
    private final FlowConnectionStore store = new FlowConnectionStore();
    private final VersionStore versions = new VersionStore();

    public FlowConnectionChanges(Bus bus, InstantSource clock) {
        this.bus = bus;
        this.clock = clock;
    }

    @Override
    public Future<List<Usage>> usages(Tx tx, List<String> projectIds, List<String> externalIds) {
        return store.usages(tx, projectIds, externalIds);
    }

    @Override
    public Future<Replacement> replace(
            Tx tx, String projectId, String sourceExternalId, String targetExternalId, boolean publishedToo) {
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        return store.lockUsing(tx, projectId, sourceExternalId).compose(using -> {
            var changed = using.stream()
                    .filter(version -> version.isDraft() || version.isPublished() && publishedToo)
                    .toList();
            var left = using.stream()
                    .filter(version -> version.isPublished() && !version.isDraft() && !publishedToo)
                    .count();
            var done = Future.<Void>succeededFuture();
            for (var version : changed) {
                done = done.compose(_ -> rewrite(tx, version.versionId(), sourceExternalId, targetExternalId, now));
            }
            var flowIds = changed.stream()
                    .map(FlowConnectionStore.Using::flowId)
                    .distinct()
                    .toList();
            return done.map(new Replacement(flowIds, Math.toIntExact(left)));
        });
    }

    @Override
    public void announce(Replacement replacement) {
        replacement.flowIds().forEach(flowId -> bus.publish(new Flows.Changed(flowId)));
    }

    private Future<Void> rewrite(Tx tx, String versionId, String source, String target, Instant now) {
        return versions.find(tx, versionId)
                .map(found -> found.orElseThrow())
                .compose(version -> versions.update(
                        tx,
                        version.with(rewritten(version.steps(), source, target)).settled(now, null)));
    }

    private static StepTree rewritten(StepTree tree, String source, String target) {
        var trigger = tree.trigger();
        var start = uses(trigger, source) ? trigger.with(trigger.base(), settings(trigger, source, target)) : trigger;
        return tree.with(start)
                .change(action -> uses(action, source), action -> action.with(settings(action, source, target)));
    }

    private static boolean uses(Step step, String name) {
        return References.connectionNames(step.input().path(AUTH).asText("")).contains(name);
    }

    private static ObjectNode settings(Step step, String source, String target) {
        var settings = step.settings().deepCopy();
        var input = (ObjectNode) settings.get(INPUT);
        var auth = References.renameConnection(input.path(AUTH).asText(), source, target);
        input.set(AUTH, TextNode.valueOf(auth));
        return settings;
    }
}
