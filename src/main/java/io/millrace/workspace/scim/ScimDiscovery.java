package io.millrace.workspace.scim;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.workspace.scim.ScimQuery.ScimPage;
import java.util.List;

/** Discovery documents of this server for directories (RFC 7643, 5 to 7). */
final class ScimDiscovery {
    private static final String SUPPORTED = "supported";
    private static final String STRING = "string";
    private static final String READ_WRITE = "readWrite";
    private static final String READ_ONLY = "readOnly";

    private ScimDiscovery() {}

    static ObjectNode providerConfig(String base) {
        var json = Json.object();
        json.putArray("schemas").add("urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig");
        json.putObject("patch").put(SUPPORTED, true);
        json.putObject("bulk").put(SUPPORTED, false).put("maxOperations", 0).put("maxPayloadSize", 0);
        json.putObject("filter").put(SUPPORTED, true).put("maxResults", 1000);
        json.putObject("changePassword").put(SUPPORTED, false);
        json.putObject("sort").put(SUPPORTED, false);
        json.putObject("etag").put(SUPPORTED, false);
        json.putArray("authenticationSchemes")
                .addObject()
                .put("type", "oauthbearertoken")
                .put("name", "API key")
                .put("description", "An API key of the platform as bearer token")
                .put("primary", true);
        return meta(json, "ServiceProviderConfig", base + "/ServiceProviderConfig");
    }

    static List<ObjectNode> resourceTypes(String base) {
        var user = resourceType("User", "/Users", ScimUser.SCHEMA, base);
        user.putArray("schemaExtensions")
                .addObject()
                .put("schema", ScimUser.EXTENSION)
                .put("required", false);
        return List.of(user, resourceType("Group", "/Groups", ScimGroup.SCHEMA, base));
    }

    private static ObjectNode resourceType(String name, String endpoint, String schema, String base) {
        var json = Json.object();
        json.putArray("schemas").add("urn:ietf:params:scim:schemas:core:2.0:ResourceType");
        json.put("id", name).put("name", name).put("endpoint", endpoint).put("schema", schema);
        return meta(json, "ResourceType", base + "/ResourceTypes/" + name);
    }

    static List<ObjectNode> schemas(String base) {
        return List.of(userSchema(base), groupSchema(base), extensionSchema(base));
    }

    private static ObjectNode userSchema(String base) {
        var json = schema(ScimUser.SCHEMA, "User", base);
        var attributes = json.putArray("attributes");
        attribute(attributes, "userName", STRING, READ_WRITE)
                .put("required", true)
                .put("uniqueness", "server");
        var name = attribute(attributes, "name", "complex", READ_WRITE).putArray("subAttributes");
        attribute(name, "formatted", STRING, READ_ONLY);
        attribute(name, "givenName", STRING, READ_WRITE);
        attribute(name, "familyName", STRING, READ_WRITE);
        attribute(attributes, "displayName", STRING, READ_ONLY);
        attribute(attributes, "active", "boolean", READ_WRITE);
        var emails = attribute(attributes, "emails", "complex", READ_WRITE)
                .put("multiValued", true)
                .putArray("subAttributes");
        attribute(emails, "value", STRING, READ_WRITE);
        attribute(emails, "type", STRING, READ_ONLY);
        attribute(emails, "primary", "boolean", READ_ONLY);
        attribute(attributes, "groups", "complex", READ_ONLY).put("multiValued", true);
        return json;
    }

    private static ObjectNode groupSchema(String base) {
        var json = schema(ScimGroup.SCHEMA, "Group", base);
        var attributes = json.putArray("attributes");
        attribute(attributes, "displayName", STRING, READ_WRITE).put("required", true);
        var members = attribute(attributes, "members", "complex", READ_WRITE)
                .put("multiValued", true)
                .putArray("subAttributes");
        attribute(members, "value", STRING, "immutable");
        attribute(members, "display", STRING, READ_ONLY);
        return json;
    }

    private static ObjectNode extensionSchema(String base) {
        var json = schema(ScimUser.EXTENSION, "CustomUserAttributes", base);
        var role = attribute(json.putArray("attributes"), "platformRole", STRING, READ_WRITE);
        role.putArray("canonicalValues").add("ADMIN").add("MEMBER").add("OPERATOR");
        return json;
    }

    private static ObjectNode schema(String id, String name, String base) {
        var json = Json.object();
        json.putArray("schemas").add("urn:ietf:params:scim:schemas:core:2.0:Schema");
        return meta(json.put("id", id).put("name", name), "Schema", base + "/Schemas/" + id);
    }

    private static ObjectNode attribute(ArrayNode attributes, String name, String type, String mutability) {
        return attributes
                .addObject()
                .put("name", name)
                .put("type", type)
                .put("multiValued", false)
                .put("required", false)
                .put("caseExact", false)
                .put("mutability", mutability)
                .put("returned", "default")
                .put("uniqueness", "none");
    }

    private static ObjectNode meta(ObjectNode json, String type, String location) {
        json.putObject("meta").put("resourceType", type).put("location", location);
        return json;
    }

    static ScimPage page(List<ObjectNode> all) {
        return new ScimPage(all.size(), 1, all);
    }
}
