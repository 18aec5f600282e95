package io.millrace.workspace.secretmanager;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Gate;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Page;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.SecretBox;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Handles {@link SecretManagers}. Only the routes of changes require an administrator. */
public final class SecretManagerService implements BusService {
    private static final String ENTITY = "secret_manager";
    private static final long GATE_DEADLINE_MS = 10_000;

    /** Maximum age of a cached secret (contract admin-api 26.3). */
    private static final Duration SECRET_KEPT = Duration.ofHours(1);

    private static final Duration STATE_KEPT = Duration.ofMinutes(1);

    private final Bus bus;
    private final Database database;
    private final SecretBox box;
    private final VaultHttp http;
    private final InstantSource clock;
    private final UnaryOperator<String> origins;
    private final SecretCache<String> secrets;
    private final SecretCache<Boolean> states;
    private final SecretManagerStore store = new SecretManagerStore();

    public SecretManagerService(Bus bus, Database database, SecretBox box, OutboundHttp http, InstantSource clock) {
        this(bus, database, box, http, clock, host -> "https://" + host);
    }

    /** @param origins maps the host of a cloud to its base address */
    SecretManagerService(
            Bus bus,
            Database database,
            SecretBox box,
            OutboundHttp http,
            InstantSource clock,
            UnaryOperator<String> origins) {
        this.bus = bus;
        this.database = database;
        this.box = box;
        this.http = new VaultHttp(http);
        this.clock = clock;
        this.origins = origins;
        this.secrets = new SecretCache<>("secretmanager.secrets", SECRET_KEPT, clock);
        this.states = new SecretCache<>("secretmanager.states", STATE_KEPT, clock);
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(SecretManagers.ListOf.class, this::list);
        bus.serve(SecretManagers.Save.class, this::save);
        bus.serve(SecretManagers.Delete.class, this::delete);
        bus.serve(SecretManagers.DropCache.class, this::dropCache);
        bus.serve(SecretManagers.Resolve.class, this::resolve);
    }

    private Future<Page<ObjectNode>> list(SecretManagers.ListOf ask) {
        var platformId = ask.by().platform();
        var seesAll = ask.by().administersPlatform() && ask.projectId().isEmpty();
        return ask.projectId()
                .map(projectId -> bus.ask(new Gate.Enter(ask.by(), projectId, null), GATE_DEADLINE_MS))
                .orElseGet(() -> Future.succeededFuture(Nothing.DONE))
                .compose(_ -> database.read(tx -> seesAll
                        ? store.page(tx, platformId, ask.page())
                        : store.page(tx, platformId, ask.projectId(), ask.page())))
                .compose(page -> {
                    var connected = new HashMap<String, Boolean>();
                    var all = page.data().stream()
                            .map(manager -> isConnected(manager).onSuccess(is -> connected.put(manager.id(), is)))
                            .toList();
                    return Future.all(List.copyOf(all))
                            .map(_ -> page.map(manager -> manager.toJson(connected.get(manager.id()))));
                });
    }

    private Future<Boolean> isConnected(SecretManager manager) {
        return states.of(
                manager,
                "",
                () -> attempt(() -> vault(manager).check())
                        .map(true)
                        .recover(failure -> failure instanceof SecretFailure
                                ? Future.succeededFuture(false)
                                : Future.failedFuture(failure)));
    }

    private Future<ObjectNode> save(SecretManagers.Save ask) {
        var request = ask.request();
        var platformId = ask.by().platform();
        return database.read(tx -> earlier(tx, ask).compose(_ -> requireProjects(tx, platformId, request.projectIds())))
                .compose(_ ->
                        attempt(() -> vault(request.vendor(), request.config()).check()))
                .recover(failure -> Future.failedFuture(
                        failure instanceof SecretFailure refused
                                ? ApiException.of(
                                        ErrorCode.SECRET_MANAGER_CONNECTION_FAILED,
                                        Json.object()
                                                .put("message", refused.getMessage())
                                                .put(
                                                        "provider",
                                                        request.vendor().word()))
                                : failure))
                .compose(_ -> database.inTransaction(tx -> earlier(tx, ask).compose(created -> {
                    var id = ask.id().orElseGet(Ids::next);
                    var now = now();
                    var manager = new SecretManager(
                            id,
                            created.orElse(now),
                            now,
                            platformId,
                            request.vendor(),
                            request.name(),
                            request.scope(),
                            request.projectIds(),
                            Buffer.buffer(box.seal(Json.bytes(request.config()), place(id))),
                            now);
                    return (created.isPresent() ? store.update(tx, manager).mapEmpty() : store.insert(tx, manager))
                            .map(manager.toJson(true));
                })));
    }

    private Future<Optional<Instant>> earlier(Tx tx, SecretManagers.Save ask) {
        return ask.id()
                .map(id -> store.find(tx, ask.by().platform(), Set.of(id))
                        .map(found -> found.stream().map(SecretManager::created).findFirst())
                        .map(created -> {
                            if (created.isEmpty()) {
                                throw ApiException.notFound(ENTITY, id);
                            }
                            return created;
                        }))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()));
    }

    private Future<Void> requireProjects(Tx tx, String platformId, List<String> ids) {
        return ids.isEmpty()
                ? Future.succeededFuture()
                : store.projects(tx, platformId, ids).map(found -> {
                    ids.stream().filter(id -> !found.contains(id)).findFirst().ifPresent(id -> {
                        throw ApiException.notFound("Project", id);
                    });
                    return null;
                });
    }

    private Future<Nothing> delete(SecretManagers.Delete ask) {
        return database.inTransaction(tx -> store.delete(tx, ask.id(), ask.by().platform()))
                .compose(deleted -> deleted
                        ? Future.succeededFuture(Nothing.DONE)
                        : Future.failedFuture(ApiException.notFound(ENTITY, ask.id())));
    }

    private Future<Nothing> dropCache(SecretManagers.DropCache ask) {
        return database.inTransaction(tx -> store.refresh(tx, ask.by().platform(), ask.id(), now()))
                .compose(found -> found || ask.id().isEmpty()
                        ? Future.succeededFuture(Nothing.DONE)
                        : Future.failedFuture(
                                ApiException.notFound(ENTITY, ask.id().orElseThrow())));
    }

    private Future<ObjectNode> resolve(SecretManagers.Resolve ask) {
        var references = SecretReference.allIn(ask.value());
        if (references.isEmpty()) {
            return Future.succeededFuture(ask.value());
        }
        var ids = references.stream().map(SecretReference::managerId).collect(Collectors.toSet());
        return database.read(tx -> store.find(tx, ask.platformId(), ids))
                .map(found -> found.stream()
                        .filter(manager -> ask.projectId()
                                .map(manager::serves)
                                .orElse(manager.scope() == SecretManager.Scope.PLATFORM))
                        .collect(Collectors.toMap(SecretManager::id, Function.identity())))
                .compose(managers -> {
                    var known = new HashMap<SecretReference, String>();
                    var all = references.stream()
                            .map(reference ->
                                    secretOf(reference, managers).onSuccess(secret -> known.put(reference, secret)))
                            .toList();
                    return Future.all(List.copyOf(all)).map(_ -> SecretReference.replaced(ask.value(), known));
                });
    }

    private Future<String> secretOf(SecretReference reference, Map<String, SecretManager> managers) {
        var manager = managers.get(reference.managerId());
        if (manager == null) {
            return Future.failedFuture(refusal(
                    "expected an existing secret manager for this connection, found " + reference.managerId(),
                    "",
                    reference));
        }
        return secrets.of(
                        manager,
                        reference.path(),
                        () -> attempt(() -> vault(manager).read(reference.path())))
                .recover(failure -> Future.failedFuture(
                        failure instanceof SecretFailure refused
                                ? told(refused, manager.vendor().word(), reference)
                                : failure));
    }

    private static ApiException told(SecretFailure failure, String vendor, SecretReference reference) {
        return switch (failure.kind()) {
            case REFUSED -> refusal(failure.getMessage(), vendor, reference);
            case NOT_SECRET -> ApiException.of(ErrorCode.SECRET_MANAGER_KEY_NOT_SECRET, failure.getMessage());
        };
    }

    private static ApiException refusal(String message, String vendor, SecretReference reference) {
        var params = Json.object().put("message", message).put("provider", vendor);
        params.putObject("request").put("path", reference.path());
        return ApiException.of(ErrorCode.SECRET_MANAGER_GET_SECRET_FAILED, params);
    }

    /** Converts an exception before the call into a failed future. */
    private static <T> Future<T> attempt(Supplier<Future<T>> call) {
        return Future.<Void>succeededFuture().compose(_ -> call.get());
    }

    private SecretVault vault(SecretManager manager) {
        return vault(manager.vendor(), (ObjectNode)
                Json.trusted(box.open(manager.sealedConfig().getBytes(), place(manager.id()))));
    }

    private SecretVault vault(SecretVendor vendor, ObjectNode config) {
        return switch (vendor) {
            case HASHICORP -> new HashicorpVault(http, config);
            case AWS -> new AwsVault(http, config, clock, origins);
            case CYBERARK_CONJUR -> new ConjurVault(http, config);
            case ONEPASSWORD -> new NoVault();
        };
    }

    private static String place(String id) {
        return "secret_manager:" + id;
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
