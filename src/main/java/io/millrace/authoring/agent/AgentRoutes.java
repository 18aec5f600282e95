package io.millrace.authoring.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.core.input.Fields;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.workspace.project.IconColor;
import io.vertx.core.Future;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Routes of saved agents (contract agents 1.2). */
public final class AgentRoutes implements RouteGroup {
    static final int NAME_LENGTH_MAX = 200;
    static final int DESCRIPTION_LENGTH_MAX = 2_000;

    private static final int PAGE_LIMIT_DEFAULT = 20;
    private static final int PAGE_LIMIT_MAX = 100;
    private static final int PROMPT_LENGTH_MAX = 2_000;
    private static final int SHARED_MAX = 200;
    private static final String ONE = "/v1/agents/:id";

    private final Bus bus;

    public AgentRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var read = Access.projectOfRow(Permission.READ_AGENT, Agents.ProjectOf::new);
        var write = Access.projectOfRow(Permission.WRITE_AGENT, Agents.ProjectOf::new);
        routes.post(
                "/v1/agents", Access.projectInBody(Permission.WRITE_AGENT), AgentRoutes::readDefinition, this::create);
        routes.get("/v1/agents", Access.platform(), AgentPageRequest::read, this::list);
        // Registered before the routes of one agent, which would take these words for its id.
        routes.get("/v1/agents/templates", Access.platform(), _ -> true, (_, _) -> templates());
        routes.post(
                "/v1/agents/draft", Access.projectInBody(Permission.WRITE_AGENT), AgentRoutes::readPrompt, this::draft);
        routes.get(ONE, read, Look::read, this::get);
        routes.post(ONE, write, AgentRoutes::readChanges, this::update);
        routes.delete(ONE, write, input -> input.id("id"), this::delete);
        routes.post(ONE + "/publish", write, input -> input.id("id"), (call, id) -> publish(call, id, true));
        routes.post(ONE + "/unpublish", write, input -> input.id("id"), (call, id) -> publish(call, id, false));
        routes.post(ONE + "/move", write, Target::read, this::move);
    }

    private record Parameters(String id, Agents.Changes changes) {}

    private record Look(String id, boolean withUsage) {
        static Look read(Input input) {
            return new Look(
                    input.id("id"), input.query().optionalFlag("includeUsage").orElse(false));
        }
    }

    private record Target(String id, String projectId) {
        static Target read(Input input) {
            return new Target(input.id("id"), input.body().text("targetProjectId"));
        }
    }

    private record AgentPageRequest(
            Optional<String> projectId,
            Optional<String> externalId,
            Optional<String> search,
            Agents.Sort sort,
            PageRequest page) {
        static AgentPageRequest read(Input input) {
            var query = input.query();
            query.optionalInteger("limit", 1, PAGE_LIMIT_MAX);
            var sort = query.optionalText("sort").orElse("updated");
            if (List.of(Agents.Sort.values()).stream()
                    .noneMatch(known -> word(known).equals(sort))) {
                query.refuse("sort", "Invalid option: expected one of \"updated\"|\"created\"|\"name\"");
                return new AgentPageRequest(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Agents.Sort.UPDATED,
                        query.page(PAGE_LIMIT_DEFAULT));
            }
            return new AgentPageRequest(
                    query.optionalText("projectId"),
                    query.optionalText("externalId"),
                    query.isAbsent("search") ? Optional.empty() : Optional.of(query.text("search", 0, NAME_LENGTH_MAX)),
                    Agents.Sort.valueOf(sort.toUpperCase(Locale.ROOT)),
                    query.page(PAGE_LIMIT_DEFAULT));
        }

        private static String word(Agents.Sort sort) {
            return sort.name().toLowerCase(Locale.ROOT);
        }
    }

    private static Agents.Definition readDefinition(Input input) {
        var body = input.body();
        body.text("projectId", Ids.PATTERN);
        var description = description(body);
        if (!description.isNamed()) {
            body.text("description");
        }
        return new Agents.Definition(
                body.optionalText("externalId", Ids.PATTERN),
                body.text("displayName", 1, NAME_LENGTH_MAX),
                Optional.ofNullable(description.or(null)),
                icon(body).orElse(AgentIcon.BOT),
                body.option("color", IconColor.class),
                body.optionalOption("visibility", SavedAgent.Visibility.class).orElse(SavedAgent.Visibility.PROJECT),
                sharedWith(body).orElse(List.of()),
                draft(body));
    }

    private static Optional<List<String>> sharedWith(Fields body) {
        var userIds = body.optionalTexts("sharedWithUserIds");
        if (userIds.filter(ids -> ids.size() > SHARED_MAX).isPresent()) {
            body.refuse("sharedWithUserIds", "Too big: expected array to have <=" + SHARED_MAX + " items");
        }
        return userIds;
    }

    private static String readPrompt(Input input) {
        var body = input.body();
        body.text("projectId", Ids.PATTERN);
        return body.text("prompt", 1, PROMPT_LENGTH_MAX);
    }

    private static Parameters readChanges(Input input) {
        var body = input.body();
        return new Parameters(
                input.id("id"),
                new Agents.Changes(
                        body.isAbsent("displayName")
                                ? Optional.empty()
                                : Optional.of(body.text("displayName", 1, NAME_LENGTH_MAX)),
                        description(body),
                        body.isAbsent("icon") ? Optional.empty() : icon(body),
                        body.optionalOption("color", IconColor.class),
                        body.optionalOption("visibility", SavedAgent.Visibility.class),
                        sharedWith(body),
                        body.isAbsent("draft") ? Optional.empty() : Optional.of(draft(body)),
                        body.optionalFlag("goLive").orElse(false)));
    }

    private static FieldChange<String> description(Fields body) {
        var given = body.orNull();
        if (!given.has("description")) {
            return FieldChange.keep();
        }
        return given.isAbsent("description")
                ? FieldChange.to(null)
                : FieldChange.to(given.text("description", 0, DESCRIPTION_LENGTH_MAX));
    }

    private static Optional<AgentIcon> icon(Fields body) {
        var word = body.text("icon");
        var icon = AgentIcon.of(word);
        if (icon.isEmpty() && body.raw("icon").isTextual()) {
            body.refuse("icon", "Invalid option: expected one of " + AgentIcon.options());
        }
        return icon;
    }

    private static ObjectNode draft(Fields body) {
        return AgentConfigReader.read(body.inner("draft"));
    }

    private Future<ApiReply> create(ApiCall call, Agents.Definition definition) {
        return bus.ask(new Agents.Create(call.principal(), call.projectId(), definition), call.deadlineMs())
                .map(ApiReply::created);
    }

    private static Future<ApiReply> templates() {
        return Future.succeededFuture(ApiReply.page(Page.whole(AgentTemplates.ALL), AgentDraft::toJson));
    }

    private Future<ApiReply> draft(ApiCall call, String prompt) {
        return bus.ask(new Agents.Draft(call.principal(), call.projectId(), prompt), call.deadlineMs())
                .map(ApiReply::ok);
    }

    private Future<ApiReply> list(ApiCall call, AgentPageRequest wanted) {
        var find = new Agents.Find(
                call.principal(),
                wanted.projectId(),
                wanted.externalId(),
                wanted.search(),
                wanted.sort(),
                wanted.page());
        return bus.ask(find, call.deadlineMs()).map(page -> ApiReply.page(page, json -> json));
    }

    private Future<ApiReply> get(ApiCall call, Look look) {
        return bus.ask(new Agents.Get(call.principal(), look.id(), look.withUsage()), call.deadlineMs())
                .map(ApiReply::ok);
    }

    private Future<ApiReply> update(ApiCall call, Parameters parameters) {
        return bus.ask(new Agents.Update(call.principal(), parameters.id(), parameters.changes()), call.deadlineMs())
                .map(ApiReply::ok);
    }

    private Future<ApiReply> publish(ApiCall call, String id, boolean live) {
        return bus.ask(new Agents.Publish(call.principal(), id, live), call.deadlineMs())
                .map(ApiReply::ok);
    }

    private Future<ApiReply> delete(ApiCall call, String id) {
        return bus.ask(new Agents.Delete(call.principal(), id), call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }

    private Future<ApiReply> move(ApiCall call, Target target) {
        return bus.ask(new Agents.Move(call.principal(), target.id(), target.projectId()), call.deadlineMs())
                .map(ApiReply::ok);
    }
}
