package io.millrace.workspace.scim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;

/** Requests of a directory about the users of its platform. Answered by {@link ScimUserService} with SCIM representations. */
sealed interface ScimUsers {
    record ListOf(Principal by, ScimQuery query) implements ScimUsers, BusRequest<ScimQuery.ScimPage> {}

    record Get(Principal by, String id) implements ScimUsers, BusRequest<ObjectNode> {}

    record Create(Principal by, JsonNode resource) implements ScimUsers, BusRequest<ObjectNode> {}

    record Replace(Principal by, String id, JsonNode resource) implements ScimUsers, BusRequest<ObjectNode> {}

    record Patch(Principal by, String id, JsonNode operations) implements ScimUsers, BusRequest<ObjectNode> {}

    /** Deactivates a user and keeps the user's flows and projects. */
    record Delete(Principal by, String id) implements ScimUsers, BusRequest<Nothing> {}
}
