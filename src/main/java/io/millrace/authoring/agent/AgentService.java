package io.millrace.authoring.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.audit.EventAction;
import io.millrace.base.access.Gate;
import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.SecretBox;
import io.millrace.piece.model.ModelSelector;
import io.millrace.piece.model.Models;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

public final class AgentService implements BusService {
    private static final String ENTITY = "agent";
    private static final long GATE_DEADLINE_MS = 10_000;
    private static final int FLOWS_NAMED_MAX = 3;

    private final Bus bus;
    private final Database database;
    private final Models models;
    private final AgentUsage usage;
    private final AgentAudit audit;
    private final RowBound bound;
    private final InstantSource clock;
    private final AgentStore store;

    public AgentService(
            Bus bus,
            Database database,
            SecretBox box,
            Models models,
            AuditLog auditLog,
            RowBound bound,
            InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.models = models;
        this.usage = new AgentUsage(bus);
        this.audit = new AgentAudit(auditLog);
        this.bound = bound;
        this.clock = clock;
        this.store = new AgentStore(box);
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(Agents.Create.class, this::create);
        bus.serve(Agents.Update.class, this::update);
        bus.serve(Agents.Get.class, this::get);
        bus.serve(Agents.Find.class, this::find);
        bus.serve(Agents.Publish.class, this::publish);
        bus.serve(Agents.Delete.class, this::delete);
        bus.serve(Agents.Move.class, this::move);
        bus.serve(
                Agents.ProjectOf.class,
                ask -> database.read(tx -> store.projectOf(tx, ask.id()))
                        .map(found -> found.orElseThrow(() -> ApiException.notFound(ENTITY, ask.id()))));
        bus.serve(Agents.FindPublished.class, this::findPublished);
    }

    private Future<JsonNode> create(Agents.Create ask) {
        var definition = ask.definition();
        return completed(ask.projectId(), definition.draft()).compose(draft -> {
            var now = now();
            var agent = new SavedAgent(
                    Ids.next(),
                    now,
                    now,
                    ask.projectId(),
                    ask.by().actingUser(),
                    definition.externalId().orElseGet(Ids::next),
                    new AgentProfile(
                            definition.displayName(),
                            definition.description().orElse(null),
                            definition.icon(),
                            definition.color(),
                            definition.visibility(),
                            definition.sharedWith()),
                    draft,
                    Optional.empty());
            return database.inTransaction(tx -> checkShared(tx, agent)
                            .compose(_ -> bound.begin(tx, "agents", "project", agent.projectId()))
                            .compose(addition -> store.insert(tx, agent)
                                    .compose(_ -> store.count(tx, agent.projectId()))
                                    .compose(addition::check))
                            .compose(_ -> audit.record(tx, EventAction.AGENT_CREATED, ask.by(), agent)))
                    .recover(failure -> Future.failedFuture(AgentStore.told(failure, agent)))
                    .map(agent.toJson());
        });
    }

    /** Fills in the platform's chat provider and its default model for a config without a model, if available. */
    private Future<ObjectNode> completed(String projectId, ObjectNode draft) {
        var selector =
                new ModelSelector(text(draft, "provider"), text(draft, "providerConfigId"), text(draft, "modelName"));
        if (selector.model().isPresent()
                && selector.provider().filter("activepieces"::equals).isEmpty()) {
            return Future.succeededFuture(draft);
        }
        return models.choose(projectId, selector)
                .map(choice -> draft.put("provider", choice.provider()).put("modelName", choice.model()))
                .recover(failure -> ApiException.isNotFound(failure)
                        ? Future.succeededFuture(draft)
                        : Future.failedFuture(failure));
    }

    private static Optional<String> text(ObjectNode config, String name) {
        return Optional.of(config.path(name).asText("")).filter(_ -> config.hasNonNull(name));
    }

    private Future<Void> checkShared(Tx tx, SavedAgent agent) {
        if (agent.sharedWith().isEmpty()) {
            return Future.succeededFuture();
        }
        return store.withAccess(tx, agent.projectId(), agent.sharedWith())
                .compose(known -> known.containsAll(agent.sharedWith())
                        ? Future.succeededFuture()
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.VALIDATION, "an agent can be shared only with people of its project")));
    }

    private Future<JsonNode> update(Agents.Update ask) {
        var changes = ask.changes();
        return database.read(tx -> required(tx, ask.by(), ask.id(), false))
                .compose(before -> changes.draft()
                        .map(draft ->
                                completed(before.agent().projectId(), draft).map(Optional::of))
                        .orElseGet(() -> Future.succeededFuture(Optional.empty())))
                .compose(draft -> database.inTransaction(tx -> required(tx, ask.by(), ask.id(), true)
                        .compose(found -> {
                            var after = changed(found.agent(), changes, draft);
                            if (isShareChange(found.agent(), after) && !mayManage(found, ask)) {
                                return Future.failedFuture(ApiException.of(
                                        ErrorCode.AUTHORIZATION,
                                        "only the owner of an agent and administrators of its project may share it"));
                            }
                            var goesLive = changes.goLive() && objection(after).isEmpty();
                            var live = goesLive ? published(after) : after;
                            return checkShared(tx, live)
                                    .compose(_ -> store.update(tx, live))
                                    .compose(_ -> audit.record(tx, EventAction.AGENT_UPDATED, ask.by(), live))
                                    .compose(_ ->
                                            goesLive ? audit.published(tx, ask.by(), live) : Future.succeededFuture())
                                    .map(live.toJson());
                        })));
    }

    private static boolean isShareChange(SavedAgent before, SavedAgent after) {
        return before.visibility() != after.visibility() || !before.sharedWith().equals(after.sharedWith());
    }

    private static boolean mayManage(AgentStore.AgentAccess found, Agents.Update ask) {
        return found.byAdmin() || found.agent().ownerId().equals(ask.by().actingUser());
    }

    private SavedAgent changed(SavedAgent before, Agents.Changes changes, Optional<ObjectNode> draft) {
        var old = before.profile();
        var profile = new AgentProfile(
                changes.displayName().orElse(old.displayName()),
                changes.description().or(old.description()),
                changes.icon().orElse(old.icon()),
                changes.color().orElse(old.color()),
                changes.visibility().orElse(old.visibility()),
                changes.sharedWith().orElse(old.sharedWith()));
        var config = draft.map(changed -> AgentConfigReader.withSecretsOf(before.draft(), changed))
                .orElse(before.draft());
        return before.with(profile, config, now());
    }

    /** Reason why the draft cannot be published; empty when it can. */
    private static Optional<String> objection(SavedAgent agent) {
        if (agent.draft().path("instructions").asText("").isBlank()) {
            return Optional.of("an agent without instructions cannot be published");
        }
        if (agent.draft().hasNonNull("providerConfigId") && !agent.draft().hasNonNull("provider")) {
            return Optional.of("an agent that pins a key must name its provider");
        }
        return Optional.empty();
    }

    private SavedAgent published(SavedAgent agent) {
        objection(agent).ifPresent(reason -> {
            throw ApiException.of(ErrorCode.VALIDATION, reason);
        });
        return agent.withPublished(Optional.of(agent.draft()), now());
    }

    private Future<JsonNode> get(Agents.Get ask) {
        return database.read(tx -> required(tx, ask.by(), ask.id(), false)).compose(found -> {
            var json = found.agent().toJson();
            return ask.withUsage()
                    ? usage.flowsRunning(
                                    found.agent().projectId(), found.agent().externalId())
                            .map(names -> {
                                var flows = json.putObject("publishedFlowsUsingAgent")
                                        .put("total", names.size());
                                names.forEach(flows.putArray("names")::add);
                                return json;
                            })
                    : Future.succeededFuture(json);
        });
    }

    private Future<Page<JsonNode>> find(Agents.Find ask) {
        return database.read(tx -> store.page(tx, ask))
                .map(page ->
                        page.map(listed -> listed.agent().toSummary(listed.projectName(), listed.projectIsPrivate())));
    }

    private Future<JsonNode> publish(Agents.Publish ask) {
        if (!ask.live()) {
            return unused(ask.by(), ask.id()).compose(_ -> put(ask));
        }
        return put(ask);
    }

    private Future<JsonNode> put(Agents.Publish ask) {
        return database.inTransaction(tx -> required(tx, ask.by(), ask.id(), true)
                .compose(found -> {
                    var after = ask.live()
                            ? published(found.agent())
                            : found.agent().withPublished(Optional.empty(), now());
                    return store.update(tx, after)
                            .compose(_ -> ask.live()
                                    ? audit.published(tx, ask.by(), after)
                                    : audit.record(tx, EventAction.AGENT_UNPUBLISHED, ask.by(), after))
                            .map(after.toJson());
                }));
    }

    private Future<Nothing> delete(Agents.Delete ask) {
        return mine(ask.by(), ask.id())
                .compose(_ -> unused(ask.by(), ask.id()))
                .compose(_ -> database.inTransaction(tx -> required(tx, ask.by(), ask.id(), true)
                        .compose(found -> managed(found, ask.by()))
                        .compose(found -> store.delete(tx, found.agent().id())
                                .compose(_ -> audit.record(tx, EventAction.AGENT_DELETED, ask.by(), found.agent())))))
                .map(Nothing.DONE);
    }

    private Future<JsonNode> move(Agents.Move ask) {
        return bus.ask(new Gate.Enter(ask.by(), ask.targetProjectId(), Permission.WRITE_AGENT), GATE_DEADLINE_MS)
                .compose(_ -> mine(ask.by(), ask.id()))
                .compose(known -> unused(ask.by(), ask.id())
                        .compose(_ -> database.inTransaction(tx -> required(tx, ask.by(), ask.id(), true)
                                .compose(found -> managed(found, ask.by()))
                                .compose(found ->
                                        placed(tx, found.agent().movedTo(ask.targetProjectId(), now()), ask.by()))))
                        .recover(failure -> Future.failedFuture(AgentStore.told(failure, known.agent()))));
    }

    private Future<JsonNode> placed(Tx tx, SavedAgent moved, Principal by) {
        return checkShared(tx, moved)
                .compose(_ -> bound.begin(tx, "agents", "project", moved.projectId()))
                .compose(addition -> store.update(tx, moved)
                        .compose(_ -> store.count(tx, moved.projectId()))
                        .compose(addition::check))
                .compose(_ -> audit.record(tx, EventAction.AGENT_UPDATED, by, moved))
                .map(moved.toJson());
    }

    /** Checks the permission before any other property of the agent. */
    private Future<AgentStore.AgentAccess> mine(Principal by, String id) {
        return database.read(tx -> required(tx, by, id, false)).compose(found -> managed(found, by));
    }

    private static Future<AgentStore.AgentAccess> managed(AgentStore.AgentAccess found, Principal by) {
        return found.byAdmin() || found.agent().ownerId().equals(by.actingUser())
                ? Future.succeededFuture(found)
                : Future.failedFuture(ApiException.of(
                        ErrorCode.AUTHORIZATION,
                        "only the owner of an agent and administrators of its project may change it"));
    }

    /** Fails while a published flow runs the agent (contract agents 1.2). */
    private Future<Void> unused(Principal by, String id) {
        return database.read(tx -> required(tx, by, id, false)).compose(found -> {
            var projectId = found.agent().projectId();
            return usage.flowsRunning(projectId, found.agent().externalId())
                    .compose(names -> names.isEmpty() ? Future.succeededFuture() : inUse(by, projectId, names));
        });
    }

    /** A caller without permission to read flows learns only their number. */
    private Future<Void> inUse(Principal by, String projectId, List<String> names) {
        return bus.ask(new Gate.Enter(by, projectId, Permission.READ_FLOW), GATE_DEADLINE_MS)
                .map(_ -> ": " + String.join(", ", names.subList(0, Math.min(names.size(), FLOWS_NAMED_MAX))))
                .recover(refusal -> refusal instanceof ApiException told && !ApiException.isUnavailable(told)
                        ? Future.succeededFuture("")
                        : Future.failedFuture(refusal))
                .compose(shown -> Future.failedFuture(ApiException.of(
                        ErrorCode.VALIDATION,
                        (names.size() == 1 ? "1 published flow runs" : names.size() + " published flows run")
                                + " this agent" + shown)));
    }

    private Future<Optional<Agents.LiveAgent>> findPublished(Agents.FindPublished ask) {
        return database.read(tx -> store.findByExternalId(tx, ask.projectId(), ask.externalId()))
                .map(found -> found.flatMap(agent -> agent.published()
                        .map(config -> new Agents.LiveAgent(
                                agent.id(),
                                agent.displayName(),
                                agent.visibility() == SavedAgent.Visibility.RESTRICTED,
                                config))));
    }

    private Future<AgentStore.AgentAccess> required(Tx tx, Principal by, String id, boolean toChange) {
        return store.find(tx, by, id, toChange)
                .map(found -> found.orElseThrow(() -> ApiException.notFound(ENTITY, id)));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
