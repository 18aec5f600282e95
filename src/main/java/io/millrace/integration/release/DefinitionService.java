package io.millrace.integration.release;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.EventAction;
import io.millrace.authoring.flow.FlowState;
import io.millrace.authoring.folder.ProjectFolders;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Tx;
import io.millrace.integration.release.DefinitionParts.There;
import io.millrace.integration.release.DefinitionStore.DefinitionSnapshot;
import io.millrace.integration.release.ReleaseApplier.AppliedChanges;
import io.millrace.integration.release.ReleaseApplier.Target;
import io.vertx.core.Future;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/**
 * Serves {@link Definitions}: flows as code. A project has one application at a time, which is atomic; the applied definition
 * is stored, so that later changes can be detected as drift.
 */
public final class DefinitionService implements BusService {
    private final ReleaseParts parts;
    private final Bus bus;
    private final ProjectFolders folders;
    private final DefinitionParts definitions;
    private final ReleaseApplier applier;
    private final StateSources sources;
    private final Publications publications;
    private final ProjectUpdate projectUpdate;
    private final Preflight preflight;
    private final String version;
    private final DefinitionStore store = new DefinitionStore();

    /** @param version of this server */
    public DefinitionService(ReleaseParts parts, ProjectFolders folders, String version) {
        this.parts = parts;
        this.bus = parts.bus();
        this.folders = folders;
        this.definitions = new DefinitionParts(parts, folders);
        this.applier = parts.applier();
        this.sources = new StateSources(parts);
        this.publications = parts.publications();
        this.projectUpdate = parts.projectUpdate();
        this.preflight = new Preflight(bus, version);
        this.version = version;
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(Definitions.Read.class, this::read);
        bus.serve(Definitions.Plan.class, this::plan);
        bus.serve(Definitions.Apply.class, this::apply);
        bus.serve(Definitions.Drift.class, this::drift);
        bus.serve(Definitions.FindUnpublished.class, this::publications);
    }

    private Future<ObjectNode> read(Definitions.Read ask) {
        return now(ask.projectId())
                .compose(there -> blocking(() -> {
                    var json = Json.object().put("revision", there.definition().revision());
                    json.set("definition", there.definition().toJson());
                    return json;
                }));
    }

    private Future<ObjectNode> plan(Definitions.Plan ask) {
        return now(ask.projectId())
                .compose(there -> blocking(() -> {
                    var plan = DefinitionPlan.between(there.definition(), ask.wanted());
                    var json = Json.object()
                            .put("revision", there.definition().revision())
                            .put("deletes", plan.deletes());
                    json.set("items", plan.toJson());
                    json.set("problems", Json.array().addAll(problems(there, ask.wanted())));
                    return json;
                }));
    }

    /** Problems that prevent a flow from working after the application; they do not prevent the application. */
    private List<ObjectNode> problems(There there, ProjectDefinition wanted) {
        var problems = new ArrayList<ObjectNode>();
        wanted.state().flows().stream()
                .filter(FlowState::isPublished)
                .forEach(flow -> applier.problemOf(flow)
                        .ifPresent(text -> problems.add(problem("FLOW", flow.externalId(), text))));
        var known = there.variables().keySet();
        wanted.variables().stream()
                .filter(variable -> !known.contains(variable.name()))
                .forEach(variable -> problems.add(problem("VARIABLE", variable.name(), "has no value here: set it")));
        var held = there.snapshot().connections().stream()
                .map(each -> each.state().externalId())
                .collect(Collectors.toSet());
        wanted.state().connections().stream()
                .filter(connection -> !held.contains(connection.externalId()))
                .forEach(connection -> problems.add(
                        problem("CONNECTION", connection.externalId(), "does not exist here: connect it")));
        return problems;
    }

    private static ObjectNode problem(String kind, String key, String message) {
        return Json.object().put("kind", kind).put("key", key).put("message", message);
    }

    private Future<ReplaceOutcome> apply(Definitions.Apply ask) {
        return now(ask.projectId())
                .compose(there -> preflight.look(
                        ask.by(),
                        ask.wanted().toDocument(version),
                        there.snapshot().connections()))
                .compose(findings -> findings.errors().isEmpty()
                        ? sources.pieceVersions(ask.by(), ask.wanted().state().connections())
                                .map(versions -> new Target(ask.by(), ask.projectId(), true, versions))
                                .compose(target -> applyTo(ask, target))
                                .map(ReplaceOutcome.Applied::new)
                        : Future.succeededFuture(new ReplaceOutcome.Refused(findings.errors())));
    }

    private record Change(DefinitionPlan plan, StateDiff diff, DefinitionSnapshot applied) {}

    private record Outcome(DefinitionPlan plan, AppliedChanges changes, ProjectFolders.Diff folders) {}

    private Future<ObjectNode> applyTo(Definitions.Apply ask, Target target) {
        return projectUpdate
                .apply(
                        ask.projectId(),
                        definitions::now,
                        there -> change(ask, there),
                        (tx, there, change) -> applied(tx, ask, target, there, change))
                .onSuccess(outcome -> {
                    applier.announce(ask.by(), outcome.changes());
                    folders.announce(ask.by(), outcome.folders());
                })
                .compose(outcome -> publications
                        .carryOut(ask.by(), outcome.changes().publications())
                        .compose(_ -> now(ask.projectId()))
                        .map(there -> applied(ask, outcome, there)))
                .recover(failure -> Future.failedFuture(ProjectFolders.told(failure)));
    }

    private ObjectNode applied(Definitions.Apply ask, Outcome outcome, There there) {
        var json = Json.object().put("revision", there.definition().revision());
        json.set("items", outcome.plan().toJson());
        json.set("problems", Json.array().addAll(problems(there, ask.wanted())));
        return json;
    }

    private Future<Outcome> applied(Tx tx, Definitions.Apply ask, Target target, There there, Change change) {
        var projectId = ask.projectId();
        var wanted = ask.wanted();
        return folders.diffOfNames(tx, projectId, wanted.folders())
                .compose(placed -> folders.apply(tx, placed)
                        .compose(_ -> applier.apply(tx, target, change.diff()))
                        .compose(changes -> definitions
                                .place(tx, projectId, wanted)
                                .compose(_ -> publications.forget(tx, projectId, drafts(wanted)))
                                .compose(_ -> publications.keep(tx, ask.by(), changes.publications()))
                                .compose(_ -> store.put(tx, projectId, change.applied()))
                                .map(new Outcome(change.plan(), changes, placed))))
                .compose(outcome ->
                        record(tx, ask, there, change.diff(), outcome).map(outcome));
    }

    private static List<String> drafts(ProjectDefinition wanted) {
        return wanted.state().flows().stream()
                .filter(flow -> !flow.isPublished())
                .map(FlowState::externalId)
                .toList();
    }

    private Change change(Definitions.Apply ask, There there) {
        return new Change(
                planned(ask, there),
                StateDiff.exact(there.snapshot(), ask.wanted().state()),
                appliedNow(ask));
    }

    private DefinitionSnapshot appliedNow(Definitions.Apply ask) {
        var at = parts.timing().clock().instant().truncatedTo(ChronoUnit.MICROS);
        return DefinitionSnapshot.of(at, ask.by().actingUser(), ask.wanted());
    }

    private static DefinitionPlan planned(Definitions.Apply ask, There there) {
        ask.revision()
                .filter(revision -> !revision.equals(there.definition().revision()))
                .ifPresent(_ -> {
                    throw ApiException.of(
                            ErrorCode.VALIDATION, "the project has changed since the plan: make a new plan");
                });
        var plan = DefinitionPlan.between(there.definition(), ask.wanted());
        if (plan.deletes() && !ask.allowsDeletion()) {
            throw ApiException.of(
                    ErrorCode.VALIDATION,
                    "flows or tables would be deleted, with the records of tables: allow deletion if that is intended");
        }
        return plan;
    }

    private Future<Void> record(Tx tx, Definitions.Apply ask, There there, StateDiff diff, Outcome outcome) {
        var document = ask.wanted().toDocument(version);
        var data = Json.object().put("sourceActivepiecesVersion", version);
        data.set("applied", ReplaceSummary.of(document, diff, outcome.folders()).get("applied"));
        data.put("failedCount", 0)
                .put("outcome", "SUCCESS")
                .put("revision", ask.wanted().revision());
        return applier.record(tx, ask.by(), outcome.changes())
                .compose(_ -> folders.record(tx, ask.by(), outcome.folders()))
                .compose(_ -> definitions.describe(tx, ask.by(), ask.projectId(), there, ask.wanted()))
                .compose(_ -> parts.auditLog()
                        .record(
                                tx,
                                ApplicationEvent.inProject(
                                        EventAction.PROJECT_REPLACED, ask.by(), ask.projectId(), data)));
    }

    private record Since(DefinitionSnapshot applied, There there) {}

    private Future<ObjectNode> drift(Definitions.Drift ask) {
        return parts.database()
                .read(tx -> store.find(tx, ask.projectId())
                        .map(found ->
                                found.orElseThrow(() -> ApiException.notFound("project-definition", ask.projectId())))
                        .compose(applied ->
                                definitions.now(tx, ask.projectId()).map(there -> new Since(applied, there))))
                .compose(read -> blocking(() -> drift(read.applied(), read.there())));
    }

    private static ObjectNode drift(DefinitionSnapshot applied, There there) {
        var body = Fields.of("definition", applied.definition());
        var plan = DefinitionPlan.between(ProjectDefinition.read(body), there.definition());
        var json = Json.object()
                .put("drifted", !plan.isEmpty())
                .put("applied", Json.timestamp(applied.at()))
                .put("appliedBy", applied.by());
        json.set("items", plan.toJson());
        return json;
    }

    private Future<ObjectNode> publications(Definitions.FindUnpublished ask) {
        return publications.ofProject(ask.projectId()).map(unpublished -> {
            var json = Json.object();
            var pending = json.putArray("pending");
            var failed = json.putArray("failed");
            unpublished.forEach(flow -> {
                var item = (flow.failure().isPresent() ? failed : pending)
                        .addObject()
                        .put("flowId", flow.flowId())
                        .put("externalId", flow.externalId())
                        .put("displayName", flow.displayName())
                        .put("landed", Json.timestamp(flow.released()));
                flow.failure().ifPresent(text -> item.put("message", text));
            });
            return json;
        });
    }

    private Future<There> now(String projectId) {
        return parts.database().read(tx -> definitions.now(tx, projectId));
    }

    /** Comparing large projects takes a while. */
    private <T> Future<T> blocking(Callable<T> work) {
        return parts.vertx().executeBlocking(work, false);
    }
}
