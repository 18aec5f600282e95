package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.agent.AgentConfigReader;
import io.millrace.authoring.agent.AgentIcon;
import io.millrace.authoring.agent.Agents;
import io.millrace.authoring.agent.SavedAgent;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.core.input.Fields;
import io.millrace.base.core.input.PageRequest;
import io.millrace.workspace.project.IconColor;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

final class AgentTools {
    private static final long DEADLINE_MS = 30_000;
    private static final int LISTED_MAX = 100;
    private static final String AGENT_ID = "agentId";
    private static final String NAME = "displayName";
    private static final String DESCRIPTION = "description";
    private static final int NAME_LENGTH_MAX = 200;
    private static final int DESCRIPTION_LENGTH_MAX = 2_000;

    /** Fields that a call omits stay unchanged. */
    private static final List<String> CONFIG = List.of(
            "instructions", "provider", "providerConfigId", "modelName", "maxSteps", "tools", "structuredOutput");

    private final Bus bus;

    AgentTools(Bus bus) {
        this.bus = bus;
    }

    List<Tool> all() {
        return List.of(
                reading(
                        "ap_list_agents",
                        "List agents",
                        "Lists the agents of the project, the last changed first.",
                        ToolInput.none().text("search", "Part of a name or description."),
                        this::list),
                reading(
                        "ap_get_agent",
                        "Read an agent",
                        "Returns an agent with its draft and its published version.",
                        ofAgent(),
                        this::get),
                writing(
                        "ap_create_agent",
                        "Create an agent",
                        "Creates an agent as a draft. Flows can run it after it is published.",
                        config(ToolInput.none().text(NAME, "Display name.").text(DESCRIPTION, "Description."))
                                .requiring(NAME, "instructions"),
                        this::create),
                writing(
                        "ap_update_agent",
                        "Change an agent",
                        "Updates the draft of an agent. Omitted values stay; a list replaces the former list.",
                        config(ofAgent().text(NAME, "New display name.").text(DESCRIPTION, "Description.")),
                        this::update),
                writing(
                        "ap_publish_agent",
                        "Publish an agent",
                        "Publishes the current draft. Flows run it from now on.",
                        ofAgent(),
                        use -> publish(use, true)),
                writing(
                        "ap_unpublish_agent",
                        "Withdraw an agent",
                        "Unpublishes an agent: flows can no longer run it. Refused while a published flow uses it.",
                        ofAgent(),
                        use -> publish(use, false)),
                Tool.of(
                        Permission.WRITE_AGENT,
                        "ap_delete_agent",
                        "Delete an agent",
                        "Deletes an agent. Refused while a published flow uses it.",
                        ofAgent(),
                        ToolSpec.Effect.DESTROYS,
                        this::delete));
    }

    private static Tool reading(
            String name,
            String title,
            String description,
            ToolInput input,
            Function<Tool.Use, Future<ToolResult>> action) {
        return Tool.of(Permission.READ_AGENT, name, title, description, input, ToolSpec.Effect.READS, action);
    }

    private static Tool writing(
            String name,
            String title,
            String description,
            ToolInput input,
            Function<Tool.Use, Future<ToolResult>> action) {
        return Tool.of(Permission.WRITE_AGENT, name, title, description, input, ToolSpec.Effect.WRITES, action);
    }

    private static ToolInput ofAgent() {
        return ToolInput.none()
                .text(AGENT_ID, "Id of the agent, from ap_list_agents.")
                .requiring(AGENT_ID);
    }

    private static ToolInput config(ToolInput input) {
        return input.text("instructions", "Instructions of the agent.")
                .text("provider", "AI provider, for example openai; default: the platform's chat provider.")
                .text("providerConfigId", "Key of the provider.")
                .text("modelName", "Model of the provider; default: its default model.")
                .whole("maxSteps", "Maximum number of turns; default 20, at most 50.")
                .list("tools", AgentRunTools.TOOLS)
                .list("structuredOutput", AgentRunTools.STRUCTURED_OUTPUT);
    }

    private Future<ToolResult> list(Tool.Use use) {
        var find = new Agents.Find(
                use.by(),
                Optional.of(use.projectId()),
                Optional.empty(),
                Optional.of(use.text("search")).filter(text -> !text.isBlank()),
                Agents.Sort.UPDATED,
                new PageRequest(LISTED_MAX, null, false));
        return bus.ask(find, DEADLINE_MS).map(page -> {
            var agents = Json.array();
            page.data()
                    .forEach(agent -> agents.addObject()
                            .put(AGENT_ID, agent.path("id").asText())
                            .put("externalId", agent.path("externalId").asText())
                            .put(NAME, agent.path(NAME).asText())
                            .put(DESCRIPTION, agent.path(DESCRIPTION).asText(""))
                            .put("isPublished", agent.path("isPublished").asBoolean())
                            .put("toolCount", agent.path("toolCount").asInt()));
            return ToolResult.json(agents);
        });
    }

    private Future<ToolResult> get(Tool.Use use) {
        return found(use).map(ToolResult::json);
    }

    /** Fails with ENTITY_NOT_FOUND for an agent of another project, as for an unknown one. */
    private Future<JsonNode> found(Tool.Use use) {
        return bus.ask(new Agents.ProjectOf(use.text(AGENT_ID)), DEADLINE_MS).compose(projectId -> {
            if (!projectId.equals(use.projectId())) {
                throw ApiException.notFound("agent", use.text(AGENT_ID));
            }
            return bus.ask(new Agents.Get(use.by(), use.text(AGENT_ID), false), DEADLINE_MS);
        });
    }

    private Future<ToolResult> create(Tool.Use use) {
        var fields = Fields.of("arguments", use.arguments());
        var definition = new Agents.Definition(
                Optional.empty(),
                fields.text(NAME, 1, NAME_LENGTH_MAX),
                description(use, fields),
                AgentIcon.BOT,
                IconColor.BLUE,
                SavedAgent.Visibility.PROJECT,
                List.of(),
                draft(Json.object(), use));
        fields.done();
        return bus.ask(new Agents.Create(use.by(), use.projectId(), definition), DEADLINE_MS)
                .map(agent -> ToolResult.done("The agent was created.", agent));
    }

    private static Optional<String> description(Tool.Use use, Fields fields) {
        return use.arguments().hasNonNull(DESCRIPTION)
                ? Optional.of(fields.text(DESCRIPTION, 0, DESCRIPTION_LENGTH_MAX))
                : Optional.empty();
    }

    private static ObjectNode draft(ObjectNode before, Tool.Use use) {
        var wanted = before.deepCopy();
        CONFIG.stream()
                .filter(use.arguments()::hasNonNull)
                .forEach(name -> wanted.set(name, use.arguments().get(name)));
        var fields = Fields.of("arguments", wanted);
        var draft = AgentConfigReader.read(fields);
        fields.done();
        return draft;
    }

    private Future<ToolResult> update(Tool.Use use) {
        return found(use).compose(agent -> {
            var fields = Fields.of("arguments", use.arguments());
            var name = use.arguments().hasNonNull(NAME)
                    ? Optional.of(fields.text(NAME, 1, NAME_LENGTH_MAX))
                    : Optional.<String>empty();
            var described = description(use, fields);
            var changesDraft = CONFIG.stream().anyMatch(use.arguments()::hasNonNull);
            var changes = new Agents.Changes(
                    name,
                    described.map(FieldChange::to).orElseGet(FieldChange::keep),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    changesDraft ? Optional.of(draft((ObjectNode) agent.path("draft"), use)) : Optional.empty(),
                    false);
            fields.done();
            return bus.ask(new Agents.Update(use.by(), use.text(AGENT_ID), changes), DEADLINE_MS)
                    .map(changed -> ToolResult.done("The agent was updated.", changed));
        });
    }

    private Future<ToolResult> publish(Tool.Use use, boolean live) {
        return found(use)
                .compose(_ -> bus.ask(new Agents.Publish(use.by(), use.text(AGENT_ID), live), DEADLINE_MS))
                .map(agent -> ToolResult.done(live ? "The agent was published." : "The agent was withdrawn.", agent));
    }

    private Future<ToolResult> delete(Tool.Use use) {
        return found(use)
                .compose(_ -> bus.ask(new Agents.Delete(use.by(), use.text(AGENT_ID)), DEADLINE_MS))
                .map(ToolResult.done("The agent was deleted."));
    }
}
