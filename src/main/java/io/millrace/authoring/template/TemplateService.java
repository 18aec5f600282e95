package io.millrace.authoring.template;

import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Handles {@link Templates}, including the permissions for creation and changes. */
public final class TemplateService implements BusService {
    private final Database database;
    private final RowBound bound;
    private final InstantSource clock;
    private final TemplateStore store = new TemplateStore();

    /**
     * @param bound of the templates of a platform, of each kind
     */
    public TemplateService(Database database, RowBound bound, InstantSource clock) {
        this.database = database;
        this.bound = bound;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Templates.Create.class, this::create);
        bus.serve(Templates.ListVisible.class, this::list);
        bus.serve(Templates.Find.class, this::find);
        bus.serve(Templates.Update.class, this::update);
        bus.serve(Templates.Delete.class, this::delete);
    }

    private Future<Template> create(Templates.Create ask) {
        var request = ask.request();
        return switch (request.type()) {
            case OFFICIAL ->
                Future.failedFuture(ApiException.of(
                        ErrorCode.VALIDATION, "official templates are part of the release and cannot be changed"));
            case SHARED -> insert(request, ask.by().platform());
            case CUSTOM ->
                ask.by().administersPlatform()
                        ? insert(request, ask.by().platform())
                        : Future.failedFuture(notAllowed());
        };
    }

    /** A shared template shows no platform: anybody who knows its id may use it. */
    private Future<Template> insert(NewTemplate request, String platformId) {
        var isShared = request.type() == TemplateType.SHARED;
        var now = clock.instant();
        var template = new Template(
                Ids.next(),
                now,
                now,
                request.type(),
                isShared ? null : platformId,
                request.author(),
                TemplateStatus.PUBLISHED,
                request.content());
        return database.inTransaction(tx -> bound.begin(
                                tx, isShared ? "shared templates" : "templates", "platform", platformId)
                        .compose(addition -> store.insert(tx, template, isShared ? platformId : null)
                                .compose(_ -> store.count(tx, request.type(), platformId))
                                .compose(isShared ? addition::checkPermanent : addition::check)))
                .map(template);
    }

    private Future<List<Template>> list(Templates.ListVisible ask) {
        return database.read(tx -> store.listed(tx, ask.by().platformIfAny(), ask.filter()));
    }

    private Future<Template> find(Templates.Find ask) {
        return database.read(tx -> store.find(tx, ask.templateId())).map(found -> required(found, ask.templateId()));
    }

    private Future<Template> update(Templates.Update ask) {
        return database.inTransaction(tx -> ownTemplate(tx, ask.by(), ask.templateId())
                .map(template -> template.changed(ask.changes(), clock.instant()))
                .compose(changed -> store.update(tx, changed).map(changed)));
    }

    private Future<Nothing> delete(Templates.Delete ask) {
        return database.inTransaction(tx -> ownTemplate(tx, ask.by(), ask.templateId())
                        .compose(template -> store.delete(tx, template.id())))
                .map(Nothing.DONE);
    }

    /** Finds and locks a custom template that the principal manages; those of other platforms count as missing. */
    private Future<Template> ownTemplate(Tx tx, Principal by, String templateId) {
        return store.findToChange(tx, templateId).map(found -> {
            var template = required(
                    found.filter(known ->
                            known.type() == TemplateType.CUSTOM && by.platform().equals(known.platformId())),
                    templateId);
            if (!by.administersPlatform()) {
                throw notAllowed();
            }
            return template;
        });
    }

    private static ApiException notAllowed() {
        return ApiException.of(ErrorCode.AUTHORIZATION, "only administrators of the platform can manage its templates");
    }

    private static Template required(Optional<Template> found, String templateId) {
        return found.orElseThrow(() -> ApiException.of(
                ErrorCode.ENTITY_NOT_FOUND,
                Json.object()
                        .put("entityType", "template")
                        .put("entityId", templateId)
                        .put("message", "Template by id " + templateId + " not found")));
    }
}
