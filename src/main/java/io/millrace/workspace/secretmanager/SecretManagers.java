package io.millrace.workspace.secretmanager;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import java.util.List;
import java.util.Optional;

/** Requests about secret managers. Answered by {@link SecretManagerService}. */
public sealed interface SecretManagers {
    /**
     * Secret managers as {@code {..., connection: {configured, connected}}}, newest first. Without a project an administrator
     * sees all of them; other users see those of the whole platform and of the named project.
     */
    record ListOf(Principal by, Optional<String> projectId, PageRequest page)
            implements SecretManagers, BusRequest<Page<ObjectNode>> {}

    /**
     * Creates a secret manager, or changes the one of that id, after a login of the server. Fails with
     * SECRET_MANAGER_CONNECTION_FAILED.
     */
    record Save(Principal by, Optional<String> id, Parameters request)
            implements SecretManagers, BusRequest<ObjectNode> {}

    record Parameters(
            SecretVendor vendor, String name, SecretManager.Scope scope, List<String> projectIds, ObjectNode config) {
        @Override
        public String toString() {
            return "Parameters[" + name + "]";
        }
    }

    record Delete(Principal by, String id) implements SecretManagers, BusRequest<Nothing> {}

    /**
     * Clears cached secrets on every node.
     *
     * @param id empty for all of the platform
     */
    record DropCache(Principal by, Optional<String> id) implements SecretManagers, BusRequest<Nothing> {}

    /**
     * A value of a connection with its references replaced by the secrets. Fails with SECRET_MANAGER_GET_SECRET_FAILED or
     * SECRET_MANAGER_KEY_NOT_SECRET.
     *
     * @param projectId project that uses the value; empty where no project is concerned yet
     */
    record Resolve(String platformId, Optional<String> projectId, ObjectNode value)
            implements SecretManagers, BusRequest<ObjectNode> {
        @Override
        public String toString() {
            return "Resolve[" + platformId + "]";
        }
    }
}
