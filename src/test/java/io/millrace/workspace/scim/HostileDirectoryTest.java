package io.millrace.workspace.scim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.hostile.HostileKind;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * SCIM requests that exhaust CPU time. Each test would take minutes if the work were quadratic in the size of the text.
 */
@HostileKind("SCIM directory")
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HostileDirectoryTest {
    private static ArrayNode members(int from, int count) {
        var members = Json.array();
        IntStream.range(from, from + count)
                .forEach(index -> members.addObject().put("value", "a-user-with-a-long-name-" + index));
        return members;
    }

    private static ObjectNode group(int members) {
        var group = Json.object().put("displayName", "Millers");
        group.set("members", members(0, members));
        return group;
    }

    private static ObjectNode patch(ObjectNode... operations) {
        var patch = Json.object();
        var list = patch.putArray("Operations");
        for (var operation : operations) {
            list.add(operation);
        }
        return patch;
    }

    private static ObjectNode operation(String kind, String path, ArrayNode value) {
        return Json.object().put("op", kind).put("path", path).set("value", value);
    }

    private static void refuses(ObjectNode resource, ObjectNode patch, String why) {
        assertThatThrownBy(() -> ScimPatch.apply(resource, patch))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining(why);
    }

    @Test
    void addsAndRemovesAsManyMembersAsAGroupMayHave() {
        // When
        var added = ScimPatch.apply(group(5_000), patch(operation("add", "members", members(0, 10_000))));
        var removed = ScimPatch.apply(group(10_000), patch(operation("remove", "members", members(1, 9_999))));

        // Then
        assertThat(added.path("members")).hasSize(10_000);
        assertThat(removed.path("members")).hasSize(1);
    }

    @Test
    void refusesMoreMembersThanAGroupMayHave() {
        refuses(group(0), patch(operation("add", "members", members(0, 10_001))), "at most 10000 values");
        refuses(group(1), patch(operation("add", "members", members(1, 10_000))), "at most 10000 values");
        refuses(group(0), patch(operation("replace", "members", members(0, 500_000))), "at most 10000 values");
    }

    @Test
    void removesAllThatMatchAFilter_inOnePass() {
        var removed = ScimPatch.apply(
                group(10_000), patch(Json.object().put("op", "remove").put("path", "members[value sw \"a-user\"]")));
        assertThat(removed.path("members")).isEmpty();
    }

    @Test
    void refusesFiltersWithoutEndOverManyValues() {
        // Given
        var filter = "value eq \"x\"" + " or value eq \"x\"".repeat(40);
        var operation = Json.object().put("op", "remove").put("path", "members[" + filter + "]");
        var many = new ObjectNode[1_000];
        java.util.Arrays.setAll(many, _ -> operation);

        // Then
        refuses(group(10_000), patch(many), "fewer Operations");
        assertThat(ScimPatch.apply(group(10), patch(many)).path("members")).hasSize(10);
    }

    @Test
    void refusesComparisonsWithoutEnd_andNestingInBrackets() {
        assertThat(ScimFilter.parse("a pr" + " or a pr".repeat(49)).comparisons())
                .isEqualTo(50);
        assertThatThrownBy(() -> ScimFilter.parse("a pr" + " or a pr".repeat(50)))
                .isInstanceOf(ApiException.class);
        assertThat(ScimFilter.parse("a[".repeat(20) + "b pr" + "] pr".repeat(20)))
                .isNotNull();
        assertThatThrownBy(() -> ScimFilter.parse("a[".repeat(21) + "b pr" + "] pr".repeat(21)))
                .isInstanceOf(ApiException.class);
        assertThatThrownBy(() -> ScimFilter.parse("a[".repeat(999))).isInstanceOf(ApiException.class);
    }
}
