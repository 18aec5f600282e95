package io.millrace.integration.mcp;

import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Tx;
import io.millrace.workspace.project.member.PermissionHolders;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;

/**
 * Users who have received the token of an MCP server. The token acts without a user, so it is valid only while all of them hold
 * the permissions of its tools: the end of a membership, a lower role and a deactivated account end it,
 * written by any service.
 */
final class TokenReaders {
    /** Permissions that the tools of a server check. Admins, Editors and operators have all of them. */
    static final Set<Permission> RIGHTS = Set.of(
            Permission.READ_AGENT,
            Permission.READ_APP_CONNECTION,
            Permission.READ_FLOW,
            Permission.READ_MCP,
            Permission.READ_RUN,
            Permission.READ_TABLE,
            Permission.UPDATE_FLOW_STATUS,
            Permission.WRITE_AGENT,
            Permission.WRITE_FLOW,
            Permission.WRITE_MCP,
            Permission.WRITE_RUN,
            Permission.WRITE_TABLE);

    private final PermissionHolders holders = new PermissionHolders();
    private final TokenReaderStore store = new TokenReaderStore();

    Future<Boolean> mayRead(Tx tx, Principal by, String projectId) {
        return switch (by) {
            case Principal.SignedInUser user ->
                holders.among(tx, projectId, List.of(user.id()), RIGHTS).map(found -> found.contains(user.id()));
            case Principal.Service service ->
                Future.succeededFuture(RIGHTS.stream().allMatch(service.scopes()::allow));
            case Principal.Newcomer _, Principal.Engine _, Principal.McpServerToken _, Principal.Anonymous _ ->
                Future.succeededFuture(false);
        };
    }

    /** Fails with PERMISSION_DENIED for a caller who must not receive the token or extend its tools. */
    Future<Void> check(Tx tx, Principal by, String projectId) {
        return mayRead(tx, by, projectId)
                .compose(may -> may
                        ? Future.succeededFuture()
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.PERMISSION_DENIED,
                                Json.object()
                                        .put(
                                                "message",
                                                "the token of an MCP server requires the permissions of all tools")
                                        .put("userId", by.userIdOrNull())
                                        .put("projectId", projectId))));
    }

    /** Returns true if all readers of the token may still read it. */
    Future<Boolean> areAllowed(Tx tx, String projectId, String serverId) {
        return store.ofServer(tx, serverId)
                .compose(readers ->
                        holders.among(tx, projectId, readers, RIGHTS).map(allowed -> allowed.containsAll(readers)));
    }

    /** Records that the caller receives the token; an API key is no user. */
    Future<Void> add(Tx tx, Principal by, String projectId, String serverId) {
        return by instanceof Principal.SignedInUser user
                ? store.add(tx, serverId, user.id(), projectId)
                : Future.succeededFuture();
    }

    /** Forgets the readers of a token that has been replaced or deleted. */
    Future<Void> clear(Tx tx, String serverId) {
        return store.clear(tx, serverId);
    }
}
