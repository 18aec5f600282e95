package io.millrace.account.audit;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The catalogue of audited actions (contract admin-api 21). */
public enum EventAction {
    FLOW_CREATED("flow.created"),
    FLOW_DELETED("flow.deleted"),
    FLOW_UPDATED("flow.updated"),
    FLOW_PUBLISHED("flow.published"),
    FLOW_ACTIVATED("flow.activated"),
    FLOW_DEACTIVATED("flow.deactivated"),
    FLOW_RUN_STARTED("flow.run.started"),
    FLOW_RUN_FINISHED("flow.run.finished"),
    FLOW_RUN_RESUMED("flow.run.resumed"),
    FLOW_RUN_RETRIED("flow.run.retried"),
    FLOW_RUN_REPLAYED("flow.run.replayed"),
    FOLDER_CREATED("folder.created"),
    FOLDER_UPDATED("folder.updated"),
    FOLDER_DELETED("folder.deleted"),
    CONNECTION_UPSERTED("connection.upserted"),
    CONNECTION_DELETED("connection.deleted"),
    VARIABLE_UPSERTED("variable.upserted"),
    VARIABLE_DELETED("variable.deleted"),
    VARIABLE_VALUE_REVEALED("variable.value.revealed"),
    USER_SIGNED_UP("user.signed.up"),
    USER_SIGNED_IN("user.signed.in"),
    USER_PASSWORD_RESET("user.password.reset"),
    USER_EMAIL_VERIFIED("user.email.verified"),
    SIGNING_KEY_CREATED("signing.key.created"),
    PROJECT_ROLE_CREATED("project.role.created"),
    PROJECT_ROLE_UPDATED("project.role.updated"),
    PROJECT_ROLE_DELETED("project.role.deleted"),
    PROJECT_RELEASE_CREATED("project.release.created"),
    PROJECT_REPLACED("project.replaced"),
    PIECE_NATIVE_INSTALLED("piece.native.installed"),
    CODE_NATIVE_INSTALLED("code.native.installed"),
    AGENT_CREATED("agent.created"),
    AGENT_UPDATED("agent.updated"),
    AGENT_PUBLISHED("agent.published"),
    AGENT_UNPUBLISHED("agent.unpublished"),
    AGENT_DELETED("agent.deleted"),
    MCP_GRANT_REVOKED("mcp.grant.revoked"),
    MCP_SERVER_CREATED("mcp.server.created"),
    MCP_SERVER_UPDATED("mcp.server.updated"),
    MCP_SERVER_DELETED("mcp.server.deleted"),
    MCP_SERVER_TOKEN_ROTATED("mcp.server.token.rotated"),
    ISSUE_UPDATED("issue.updated");

    private static final Map<String, EventAction> BY_TEXT =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(EventAction::text, Function.identity()));

    private final String text;

    EventAction(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    boolean isOfFlow() {
        return text.startsWith("flow.") && !text.startsWith("flow.run.");
    }

    public static Optional<EventAction> of(String text) {
        return Optional.ofNullable(BY_TEXT.get(text));
    }
}
