package io.millrace.workspace.aiprovider;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.core.input.Violations;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.SecretBox;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Handles {@link AiProviders}. Only the routes of changes require an administrator. */
public final class AiProviderService implements BusService {
    private static final String ENTITY = "AIProvider";

    private final Database database;
    private final SecretBox box;
    private final InstantSource clock;
    private final KeyTrials trials;
    private final ModelCache models;
    private final Optional<JsonNode> credits;
    private final AiProviderStore store = new AiProviderStore();

    /**
     * @param credits models that the platform's own credits offer; empty where there are no credits
     * @param origins maps the host of a vendor to its base address
     */
    public AiProviderService(
            Database database,
            SecretBox box,
            OutboundHttp http,
            InstantSource clock,
            Optional<JsonNode> credits,
            UnaryOperator<String> origins) {
        this.database = database;
        this.box = box;
        this.clock = clock;
        this.credits = credits;
        this.trials = new KeyTrials(new VendorCalls(http, clock, origins));
        this.models = new ModelCache(clock);
    }

    @Override
    public void open(Bus bus) {
        bus.serve(AiProviders.ListOf.class, this::list);
        bus.serve(AiProviders.Create.class, this::create);
        bus.serve(AiProviders.Update.class, this::update);
        bus.serve(AiProviders.Delete.class, this::delete);
        bus.serve(AiProviders.Reveal.class, this::reveal);
        bus.serve(AiProviders.FindModels.class, this::findModels);
        bus.serve(FindProvider.class, this::findProvider);
        bus.serve(ListProviders.class, this::listProviders);
        bus.serve(
                ListModels.class,
                ask -> findModels(new AiProviders.FindModels(ask.platformId(), ask.provider(), Optional.empty())));
    }

    private Future<JsonNode> list(AiProviders.ListOf ask) {
        var platformId = ask.by().platform();
        return database.read(tx -> store.all(tx, platformId))
                .compose(found -> credits.isEmpty() || found.stream().anyMatch(AiProvider::isOnCredits)
                        ? Future.succeededFuture(found)
                        : database.inTransaction(tx -> withCredits(tx, platformId)))
                .map(found -> {
                    var all = Json.array();
                    found.stream().filter(this::isThere).forEach(provider -> all.add(provider.toJson(found)));
                    return all;
                });
    }

    /** Adds the platform's own credits as a provider at the first lookup (decision 0424). */
    private Future<List<AiProvider>> withCredits(Tx tx, String platformId) {
        var id = Ids.next();
        return store.insertCredits(tx, id, platformId, now(), seal(id, Json.object()))
                .compose(_ -> store.all(tx, platformId));
    }

    /** The row of credits outlives the setting that enables credits. */
    private boolean isThere(AiProvider provider) {
        return credits.isPresent() || !provider.isOnCredits();
    }

    private Future<JsonNode> create(AiProviders.Create ask) {
        if (ask.vendor() == AiVendor.ACTIVEPIECES) {
            return Future.failedFuture(managed("cannot be added"));
        }
        return trials.check(ask.vendor(), ask.config(), ask.auth()).compose(_ -> {
            var id = Ids.next();
            var now = now();
            var provider = new AiProvider(
                    id,
                    now,
                    now,
                    ask.by().platform(),
                    ask.vendor(),
                    ask.displayName(),
                    ask.config(),
                    seal(id, ask.auth()),
                    false,
                    ask.scope());
            return database.inTransaction(tx -> named(tx, provider).compose(_ -> store.insert(tx, provider)))
                    .map(provider.toJson());
        });
    }

    /** The vendor is called outside of a transaction. Fields that changed meanwhile are kept. */
    private Future<JsonNode> update(AiProviders.Update ask) {
        return database.read(tx -> found(tx, ask))
                .compose(before -> {
                    if (before.isOnCredits() && ask.changesHowItIsAsked()) {
                        return Future.failedFuture(managed("can only be enabled for chats"));
                    }
                    var changes = Changes.read(ask, before.vendor());
                    return changes.isEmpty()
                            ? Future.succeededFuture(changes)
                            : trials.check(
                                            before.vendor(),
                                            changes.config().orElse(before.config()),
                                            changes.auth().orElseGet(() -> open(before)))
                                    .map(changes);
                })
                .compose(changes -> database.inTransaction(tx -> write(tx, ask, changes)));
    }

    private Future<JsonNode> write(Tx tx, AiProviders.Update ask, Changes changes) {
        return store.lock(tx, ask.by().platform()).compose(_ -> found(tx, ask)).compose(before -> {
            var after = new AiProvider(
                    before.id(),
                    before.created(),
                    now(),
                    before.platformId(),
                    before.vendor(),
                    before.isOnCredits() ? before.displayName() : ask.displayName(),
                    changes.config().orElse(before.config()),
                    changes.auth().map(auth -> seal(before.id(), auth)).orElse(before.sealedAuth()),
                    ask.enabledForChat().orElse(before.enabledForChat()),
                    ask.scope().orElse(before.scope()));
            var named = after.isNamedAs(before) ? Future.<Void>succeededFuture() : named(tx, after);
            return named.compose(_ -> after.enabledForChat()
                            ? store.disableOthers(tx, after.platformId(), after.id(), after.updated())
                            : Future.succeededFuture())
                    .compose(_ -> store.update(tx, after))
                    .map(after.toJson());
        });
    }

    /** Fails with VALIDATION when another provider of the vendor has the same name. */
    private Future<Void> named(Tx tx, AiProvider provider) {
        return store.isTaken(tx, provider)
                .compose(taken -> taken
                        ? Future.failedFuture(ApiException.of(
                                ErrorCode.VALIDATION,
                                "displayName: there is already a provider of type "
                                        + provider.vendor().word() + " with this name"))
                        : Future.succeededFuture());
    }

    private Future<AiProvider> found(Tx tx, AiProviders.Update ask) {
        return found(tx, ask.id(), ask.by().platform());
    }

    private Future<AiProvider> found(Tx tx, String id, String platformId) {
        return store.find(tx, id, platformId)
                .map(found -> found.filter(this::isThere).orElseThrow(() -> ApiException.notFound(ENTITY, id)));
    }

    private Future<Nothing> delete(AiProviders.Delete ask) {
        var platformId = ask.by().platform();
        return database.inTransaction(tx -> found(tx, ask.id(), platformId)
                        .compose(provider -> provider.isOnCredits()
                                ? Future.failedFuture(managed("cannot be deleted"))
                                : store.delete(tx, ask.id(), platformId)))
                .compose(deleted -> deleted
                        ? Future.succeededFuture(Nothing.DONE)
                        : Future.failedFuture(ApiException.notFound(ENTITY, ask.id())));
    }

    private static ApiException managed(String what) {
        return ApiException.of(ErrorCode.VALIDATION, "the provider activepieces is managed by the server, and " + what);
    }

    private Future<JsonNode> reveal(AiProviders.Reveal ask) {
        return pick(ask.platformId(), ask.vendor(), ask.configId()).map(provider -> {
            var json = Json.object().put("provider", provider.vendor().word());
            json.set("config", provider.config());
            json.set("auth", open(provider));
            return json.put("platformId", provider.platformId());
        });
    }

    private Future<JsonNode> findModels(AiProviders.FindModels ask) {
        if (ask.vendor().equals(AiVendor.ACTIVEPIECES.word())) {
            return credits.map(Future::succeededFuture)
                    .orElseGet(() -> Future.failedFuture(ApiException.notFound(ENTITY, ask.vendor())));
        }
        return pick(ask.platformId(), ask.vendor(), ask.configId())
                .compose(provider -> models.of(
                                provider, () -> trials.models(provider.vendor(), provider.config(), open(provider)))
                        .map(found -> offered(found, provider.scope())));
    }

    private static JsonNode offered(List<AiModel> models, ModelScope scope) {
        var all = Json.array();
        models.stream().filter(scope::offers).forEach(model -> all.add(model.toJson()));
        return all;
    }

    private Future<ProviderAccess> findProvider(FindProvider ask) {
        return database.read(tx -> row(tx, ask)).map(found -> {
            var provider = found.filter(this::isThere)
                    .filter(one -> ask.provider().isEmpty()
                            || ask.provider().get().equals(one.vendor().word()))
                    .orElseThrow(
                            () -> ApiException.notFound(ENTITY, ask.provider().orElse("chat")));
            return new ProviderAccess(
                    provider.id(),
                    provider.vendor().word(),
                    provider.vendor().title(),
                    provider.config(),
                    open(provider));
        });
    }

    private Future<Optional<AiProvider>> row(Tx tx, FindProvider ask) {
        if (ask.configId().isPresent()) {
            return store.find(tx, ask.configId().get(), ask.platformId());
        }
        if (ask.provider().isEmpty()) {
            return store.findForChat(tx, ask.platformId());
        }
        return AiVendor.of(ask.provider().get())
                .map(vendor -> store.findNewest(tx, ask.platformId(), vendor))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()));
    }

    private Future<List<ListProviders.Entry>> listProviders(ListProviders ask) {
        return database.read(tx -> store.all(tx, ask.platformId()))
                .map(found -> found.stream()
                        .filter(one -> !one.isOnCredits())
                        .map(one -> new ListProviders.Entry(
                                one.id(), one.vendor().word(), one.displayName(), one.enabledForChat()))
                        .toList());
    }

    /** The named provider, if it is of the vendor; else the newest. The key of the platform's credits is never returned. */
    private Future<AiProvider> pick(String platformId, String word, Optional<String> configId) {
        var vendor = AiVendor.of(word)
                .orElseThrow(() -> ApiException.of(
                        ErrorCode.AI_PROVIDER_NOT_SUPPORTED, Json.object().put("provider", word)));
        return database.read(tx -> configId.map(id -> store.find(tx, id, platformId))
                        .orElseGet(() -> store.findNewest(tx, platformId, vendor)))
                .map(found -> found.filter(provider -> provider.vendor() == vendor && !provider.isOnCredits())
                        .orElseThrow(() -> ApiException.notFound(ENTITY, configId.orElse(word))));
    }

    private record Changes(Optional<ObjectNode> config, Optional<ObjectNode> auth) {
        static Changes read(AiProviders.Update ask, AiVendor vendor) {
            List<String> problems = new ArrayList<>();
            var changes = new Changes(
                    ask.config().map(config -> AiSettings.config(vendor, Fields.of("body/config", config, problems))),
                    ask.auth().map(auth -> AiSettings.auth(vendor, Fields.of("body/auth", auth, problems))));
            Violations.refuseIfAny(problems);
            return changes;
        }

        boolean isEmpty() {
            return config.isEmpty() && auth.isEmpty();
        }
    }

    private Buffer seal(String id, ObjectNode auth) {
        return Buffer.buffer(box.seal(Json.bytes(auth), place(id)));
    }

    private ObjectNode open(AiProvider provider) {
        return (ObjectNode) Json.trusted(box.open(provider.sealedAuth().getBytes(), place(provider.id())));
    }

    private static String place(String id) {
        return "ai_provider:" + id;
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
