package io.millrace.workspace.variable;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.audit.EventAction;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.ConstraintViolation;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.SecretBox;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Handles {@link Variables}. Callers have passed the gate of the project. */
public final class VariableService implements BusService {
    private final Bus bus;
    private final Database database;
    private final SecretBox box;
    private final AuditLog auditLog;
    private final RowBound bound;
    private final InstantSource clock;
    private final VariableStore store = new VariableStore();

    public VariableService(
            Bus bus, Database database, SecretBox box, AuditLog auditLog, RowBound bound, InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.box = box;
        this.auditLog = auditLog;
        this.bound = bound;
        this.clock = clock;
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(Variables.Save.class, this::save);
        bus.serve(Variables.ListOf.class, this::list);
        bus.serve(Variables.Update.class, this::update);
        bus.serve(Variables.Reveal.class, this::reveal);
        bus.serve(Variables.Delete.class, this::delete);
        bus.serve(Variables.ProjectOf.class, this::projectOf);
        bus.serve(Variables.FindValues.class, this::findValues);
        bus.serve(Variables.FindNames.class, this::findNames);
    }

    private Future<Variable> save(Variables.Save ask) {
        var id = Ids.next();
        var sealed = new VariableStore.VariableCiphertext(ask.name(), seal(ask.projectId(), ask.name(), ask.value()));
        ObjectNode metadata = ask.metadata().or(null);
        return database.inTransaction(tx -> bound.begin(tx, "variables", "project", ask.projectId())
                        .compose(addition -> store.upsert(
                                        tx,
                                        id,
                                        now(),
                                        ask.projectId(),
                                        sealed,
                                        ask.by().actingUser(),
                                        metadata,
                                        ask.metadata().isNamed())
                                .compose(savedId -> savedId.equals(id)
                                        ? store.count(tx, ask.projectId())
                                                .compose(addition::check)
                                                .map(savedId)
                                        : Future.succeededFuture(savedId)))
                        .compose(savedId -> found(tx, savedId))
                        .compose(variable -> recorded(tx, EventAction.VARIABLE_UPSERTED, ask.by(), variable)))
                .recover(failure -> Future.failedFuture(
                        failure instanceof ConstraintViolation refused
                                        && refused.kind() == ConstraintViolation.Kind.FOREIGN_KEY
                                ? ApiException.notFound("project", ask.projectId())
                                : failure))
                .onSuccess(variable -> bus.publish(new Variables.Upserted(variable)));
    }

    private Future<Page<Variable>> list(Variables.ListOf ask) {
        return database.read(tx -> store.page(tx, ask.projectId(), ask.namePart(), ask.page()));
    }

    private Future<Variable> update(Variables.Update ask) {
        ObjectNode metadata = ask.metadata().or(null);
        return database.inTransaction(tx -> found(tx, ask.id()).compose(variable -> {
                    var sealed = ask.value().map(value -> seal(variable.projectId(), variable.name(), value));
                    return store.update(
                                    tx,
                                    ask.id(),
                                    now(),
                                    sealed,
                                    metadata,
                                    ask.metadata().isNamed())
                            .compose(_ -> found(tx, ask.id()))
                            .compose(saved -> recorded(tx, EventAction.VARIABLE_UPSERTED, ask.by(), saved));
                }))
                .onSuccess(variable -> bus.publish(new Variables.Upserted(variable)));
    }

    private Future<String> reveal(Variables.Reveal ask) {
        return database.inTransaction(tx -> found(tx, ask.id())
                        .compose(variable -> recorded(tx, EventAction.VARIABLE_VALUE_REVEALED, ask.by(), variable)))
                .compose(variable -> values(variable.projectId(), Set.of(variable.name()))
                        .map(values -> {
                            var value = values.get(variable.name());
                            if (value == null) {
                                throw ApiException.notFound("variable", ask.id());
                            }
                            bus.publish(
                                    new Variables.Revealed(variable, ask.by().actingUser()));
                            return value;
                        }));
    }

    private Future<Nothing> delete(Variables.Delete ask) {
        return database.inTransaction(tx -> found(tx, ask.id())
                        .compose(variable -> store.delete(tx, ask.id())
                                .compose(_ -> recorded(tx, EventAction.VARIABLE_DELETED, ask.by(), variable))))
                .onSuccess(variable -> bus.publish(new Variables.Deleted(variable)))
                .map(Nothing.DONE);
    }

    private Future<String> projectOf(Variables.ProjectOf ask) {
        return database.read(tx -> found(tx, ask.id())).map(Variable::projectId);
    }

    private Future<Map<String, String>> findValues(Variables.FindValues ask) {
        return values(ask.projectId(), ask.names());
    }

    private Future<Set<String>> findNames(Variables.FindNames ask) {
        return database.read(tx -> store.findSealed(tx, ask.projectId(), ask.names()))
                .map(found -> found.stream()
                        .map(VariableStore.VariableCiphertext::name)
                        .collect(Collectors.toSet()));
    }

    private Future<Map<String, String>> values(String projectId, Set<String> names) {
        return database.read(tx -> store.findSealed(tx, projectId, names)).map(found -> {
            var values = new HashMap<String, String>();
            found.forEach(row -> values.put(row.name(), open(projectId, row)));
            return values;
        });
    }

    private Future<Variable> recorded(Tx tx, EventAction action, Principal by, Variable variable) {
        return auditLog.record(tx, ApplicationEvent.inProject(action, by, variable.projectId(), variable.eventData()))
                .map(variable);
    }

    private Future<Variable> found(Tx tx, String id) {
        return store.find(tx, id).map(found -> found.orElseThrow(() -> ApiException.notFound("variable", id)));
    }

    private Buffer seal(String projectId, String name, String value) {
        return Buffer.buffer(box.seal(value.getBytes(StandardCharsets.UTF_8), place(projectId, name)));
    }

    private String open(String projectId, VariableStore.VariableCiphertext sealed) {
        return new String(box.open(sealed.value().getBytes(), place(projectId, sealed.name())), StandardCharsets.UTF_8);
    }

    /** Binds the seal to the project and the name, not to the row's id: a variable is never renamed. */
    private static String place(String projectId, String name) {
        return "variable:" + projectId + ":" + name;
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
