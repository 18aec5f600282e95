package io.millrace.workspace.scim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.provisioning.DirectoryPerson;
import io.millrace.account.identity.provisioning.DirectoryUser;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Json;
import io.millrace.workspace.project.member.ProjectPeople;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** A user as SCIM writes and reads it (RFC 7643, 4.1; contract admin-api 35). */
final class ScimUser {
    static final String SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";
    static final String EXTENSION = "urn:ietf:params:scim:schemas:activepieces:1.0:CustomUserAttributes";
    private static final String ROLE = "platformRole";
    private static final String USER_NAME = "userName";
    private static final String VALUE = "value";
    private static final int TEXT_LENGTH_MAX = 200;
    private static final Pattern EMAIL =
            Pattern.compile("[^@\\s\\p{C}\\p{Z}<>,;]{1,100}@[^@\\s\\p{C}\\p{Z}<>,;]{1,100}");

    private ScimUser() {}

    /** @param users address of all users, the prefix of ids */
    static ObjectNode toJson(DirectoryUser user, List<ProjectPeople.Team> teams, String users) {
        var person = user.person();
        var json = Json.object();
        json.putArray("schemas").add(SCHEMA).add(EXTENSION);
        json.put("id", user.id());
        person.externalId().ifPresent(id -> json.put("externalId", id));
        json.put(USER_NAME, person.userName());
        var formatted = (person.firstName() + " " + person.lastName()).strip();
        json.putObject("name")
                .put("formatted", formatted)
                .put("givenName", person.firstName())
                .put("familyName", person.lastName());
        json.put("displayName", formatted).put("active", person.isActive());
        json.putArray("emails")
                .addObject()
                .put(VALUE, person.email())
                .put("type", "work")
                .put("primary", true);
        var groups = json.putArray("groups");
        teams.forEach(team -> groups.addObject()
                .put(VALUE, team.projectId())
                .put("display", team.displayName())
                .put("type", "direct"));
        json.putObject(EXTENSION).put(ROLE, person.role().name());
        json.putObject("meta")
                .put("resourceType", "User")
                .put("created", Json.timestamp(user.created()))
                .put("lastModified", Json.timestamp(user.updated()))
                .put("location", users + "/" + user.id());
        return json;
    }

    /**
     * The person that a resource describes; unknown attributes are ignored.
     *
     * @param role default role of a person whose resource names none: few directories know of roles here
     */
    static DirectoryPerson read(JsonNode resource, PlatformRole role) {
        var userName = text(ScimPatch.field(resource, USER_NAME), USER_NAME)
                .orElseThrow(() -> ScimFailures.invalidValue("expected userName"));
        var email = email(resource, userName);
        var name = ScimPatch.field(resource, "name");
        var display = text(ScimPatch.field(resource, "displayName"), "displayName")
                .or(() -> text(ScimPatch.field(name, "formatted"), "name.formatted"));
        var local = email.substring(0, email.indexOf('@'));
        var first = text(ScimPatch.field(name, "givenName"), "name.givenName")
                .or(() -> display.map(full -> full.split(" ", 2)[0]))
                .orElse(local);
        var last = text(ScimPatch.field(name, "familyName"), "name.familyName")
                .or(() -> display.filter(full -> full.contains(" ")).map(full -> full.split(" ", 2)[1]))
                .orElse("");
        return new DirectoryPerson(
                userName,
                email,
                first,
                last,
                isActive(ScimPatch.field(resource, "active")),
                text(ScimPatch.field(resource, "externalId"), "externalId"),
                role(ScimPatch.field(ScimPatch.field(resource, EXTENSION), ROLE), role));
    }

    /** The primary address, else the first, else a user name that is an address. */
    private static String email(JsonNode resource, String userName) {
        var emails = ScimPatch.field(resource, "emails");
        var wanted = Optional.<String>empty();
        for (var entry : emails) {
            var value = text(ScimPatch.field(entry, VALUE), "emails");
            if (value.isPresent()
                    && (wanted.isEmpty() || ScimPatch.field(entry, "primary").asBoolean(false))) {
                wanted = value;
            }
        }
        var email = wanted.orElse(userName).strip().toLowerCase(Locale.ROOT);
        if (!EMAIL.matcher(email).matches()) {
            throw ScimFailures.invalidValue("expected an e-mail address, in emails or as userName");
        }
        return email;
    }

    /** Some directories send the texts True and False. */
    private static boolean isActive(JsonNode active) {
        if (active.isMissingNode() || active.isNull()) {
            return true;
        }
        return switch (active.asText().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw ScimFailures.invalidValue("expected true or false as active");
        };
    }

    private static PlatformRole role(JsonNode role, PlatformRole otherwise) {
        if (role.isMissingNode() || role.isNull() || role.asText().isBlank()) {
            return otherwise;
        }
        return Arrays.stream(PlatformRole.values())
                .filter(known -> known.name().equalsIgnoreCase(role.asText()))
                .findFirst()
                .orElseThrow(() -> ScimFailures.invalidValue("expected ADMIN, MEMBER or OPERATOR as platformRole"));
    }

    private static Optional<String> text(JsonNode value, String name) {
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        var isText = value.isTextual()
                && value.textValue().length() <= TEXT_LENGTH_MAX
                && value.textValue().chars().noneMatch(Character::isISOControl);
        if (!isText) {
            throw ScimFailures.invalidValue("expected " + name + " as a text of at most " + TEXT_LENGTH_MAX);
        }
        return Optional.of(value.textValue().strip()).filter(text -> !text.isEmpty());
    }
}
