package io.millrace.workspace.scim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;

/**
 * Requests of a directory about the team projects of its platform, its groups. Answered by {@link ScimGroupService} with SCIM
 * representations.
 */
sealed interface ScimGroups {
    record ListOf(Principal by, ScimQuery query) implements ScimGroups, BusRequest<ScimQuery.ScimPage> {}

    record Get(Principal by, String id) implements ScimGroups, BusRequest<ObjectNode> {}

    record Create(Principal by, JsonNode resource) implements ScimGroups, BusRequest<ObjectNode> {}

    record Replace(Principal by, String id, JsonNode resource) implements ScimGroups, BusRequest<ObjectNode> {}

    record Patch(Principal by, String id, JsonNode operations) implements ScimGroups, BusRequest<ObjectNode> {}

    /** Deletes the team project with all its content. */
    record Delete(Principal by, String id) implements ScimGroups, BusRequest<Nothing> {}
}
