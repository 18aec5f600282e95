package io.millrace.scim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.access.Principal;
import io.millrace.bus.Nothing;
import io.millrace.bus.Request;

/** What a directory may ask of the team projects of its platform, its groups. Answered by {@link ScimGroupService}, in the words of SCIM. */
sealed interface ScimGroups {
    record ListOf(Principal by, ScimQuery query) implements ScimGroups, Request<ScimQuery.ScimPage> {}

    record Get(Principal by, String id) implements ScimGroups, Request<ObjectNode> {}

    record Create(Principal by, JsonNode resource) implements ScimGroups, Request<ObjectNode> {}

    record Replace(Principal by, String id, JsonNode resource) implements ScimGroups, Request<ObjectNode> {}

    record Patch(Principal by, String id, JsonNode operations) implements ScimGroups, Request<ObjectNode> {}

    /** Deletes the team project with everything in it. */
    record Delete(Principal by, String id) implements ScimGroups, Request<Nothing> {}
}
