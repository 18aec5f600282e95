package io.millrace.workspace.scim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.workspace.project.Project;
import io.millrace.workspace.project.member.ProjectPeople;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A group as SCIM describes it: name and members of a team project (RFC 7643, 4.2; contract admin-api 35).
 *
 * @param memberIds users
 */
record ScimGroup(String displayName, Optional<String> externalId, Set<String> memberIds) {
    static final String SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group";
    private static final String DISPLAY_NAME = "displayName";
    private static final String VALUE = "value";
    private static final int MEMBERS_MAX = 10_000;
    private static final int TEXT_LENGTH_MAX = 200;

    /** Rules of the names of projects (contract admin-api 3.2). */
    private static final Pattern NAME = Pattern.compile("[^./\\p{Cntrl}]{1,200}");

    static ObjectNode toJson(Project project, List<ProjectPeople.Member> members, String address) {
        var json = Json.object();
        json.putArray("schemas").add(SCHEMA);
        json.put("id", project.id());
        if (project.externalId() != null) {
            json.put("externalId", project.externalId());
        }
        json.put(DISPLAY_NAME, project.displayName());
        var list = json.putArray("members");
        members.forEach(member -> list.addObject()
                .put(VALUE, member.userId())
                .put("display", member.email())
                .put("type", "User")
                .put("$ref", address + ScimRoutes.USERS + "/" + member.userId()));
        json.putObject("meta")
                .put("resourceType", "Group")
                .put("created", Json.timestamp(project.created()))
                .put("lastModified", Json.timestamp(project.updated()))
                .put("location", address + ScimRoutes.GROUPS + "/" + project.id());
        return json;
    }

    static ScimGroup read(JsonNode resource) {
        var name = ScimPatch.field(resource, DISPLAY_NAME);
        if (!name.isTextual() || !NAME.matcher(name.textValue().strip()).matches()) {
            throw ScimFailures.invalidValue("expected displayName as a text without dots and slashes");
        }
        var externalId = ScimPatch.field(resource, "externalId");
        if (externalId.isTextual() && externalId.textValue().length() > TEXT_LENGTH_MAX) {
            throw ScimFailures.invalidValue("expected externalId of at most " + TEXT_LENGTH_MAX + " characters");
        }
        return new ScimGroup(
                name.textValue().strip(),
                Optional.ofNullable(externalId.textValue()).filter(text -> !text.isBlank()),
                members(ScimPatch.field(resource, "members")));
    }

    private static Set<String> members(JsonNode members) {
        if (!members.isMissingNode() && !members.isNull() && !members.isArray() || members.size() > MEMBERS_MAX) {
            throw ScimFailures.invalidValue("expected members as a list of at most " + MEMBERS_MAX);
        }
        var ids = new LinkedHashSet<String>();
        for (var member : members) {
            var id = member.isObject() ? ScimPatch.field(member, VALUE) : member;
            if (!id.isTextual()) {
                throw ScimFailures.invalidValue("expected the id of a user as value of a member");
            }
            ids.add(id.textValue());
        }
        return ids;
    }
}
