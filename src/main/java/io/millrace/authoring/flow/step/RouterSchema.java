package io.millrace.authoring.flow.step;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.sandbox.expression.ConditionOperator;
import io.millrace.sandbox.expression.ConditionOperator.Family;

/** Branches of a router and their conditions (contract flows-and-engine 2.6, 2.7). */
public final class RouterSchema {
    private enum ExecutionType {
        EXECUTE_FIRST_MATCH,
        EXECUTE_ALL_MATCH
    }

    private enum BranchType {
        CONDITION,
        FALLBACK
    }

    private RouterSchema() {}

    static void router(Fields given, ObjectNode settings) {
        settings.put(
                "executionType",
                given.option("executionType", ExecutionType.class).name());
        var branches = settings.putArray("branches");
        var index = 0;
        for (var branch : given.array("branches")) {
            branches.add(branch(given.element("branches", index, branch)));
            index++;
        }
    }

    private static ObjectNode branch(Fields given) {
        var type = given.option("branchType", BranchType.class);
        var branch = Json.object().put("branchType", type.name()).put("branchName", given.text("branchName"));
        if (type == BranchType.CONDITION) {
            branch.set("conditions", conditions(given));
        }
        return branch;
    }

    /** The field {@code conditions}: groups of conditions, OR outside, AND inside. */
    public static ArrayNode conditions(Fields given) {
        var groups = Json.array();
        var index = 0;
        for (var group : given.array("conditions")) {
            groups.add(group(given, "conditions/" + index, group));
            index++;
        }
        return groups;
    }

    private static ArrayNode group(Fields given, String place, JsonNode group) {
        var conditions = Json.array();
        if (!group.isArray()) {
            given.refuse(place, "Invalid input: expected array");
            return conditions;
        }
        for (var index = 0; index < group.size(); index++) {
            conditions.add(condition(given.element(place, index, group.get(index))));
        }
        return conditions;
    }

    /** Keys outside the operator's family are dropped; without an operator the family is derived from the values. */
    private static ObjectNode condition(Fields given) {
        var operator = given.optionalOption("operator", ConditionOperator.class);
        var family = operator.map(ConditionOperator::family)
                .orElse(given.isAbsent("secondValue") ? Family.SINGLE_VALUE : Family.TEXT);
        var condition = Json.object().put("firstValue", given.text("firstValue"));
        if (family != Family.SINGLE_VALUE) {
            condition.put("secondValue", given.text("secondValue"));
        }
        operator.ifPresent(known -> condition.put("operator", known.name()));
        if (family == Family.TEXT) {
            given.optionalFlag("caseSensitive").ifPresent(value -> condition.put("caseSensitive", value));
        }
        return condition;
    }

    public static ArrayNode emptyConditions() {
        var conditions = Json.array();
        conditions
                .addArray()
                .addObject()
                .put("firstValue", "")
                .put("secondValue", "")
                .put("operator", ConditionOperator.TEXT_CONTAINS.name())
                .put("caseSensitive", false);
        return conditions;
    }

    /** Returns whether every value of every condition is nonempty (2.12, layer B). */
    public static boolean hasCompleteConditions(ObjectNode settings) {
        for (var branch : settings.path("branches")) {
            for (var group : branch.path("conditions")) {
                for (var condition : group) {
                    if (isBlank(condition, "firstValue") || isBlank(condition, "secondValue")) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** A value outside the family was dropped on parsing: absent does not count as blank. */
    private static boolean isBlank(JsonNode condition, String field) {
        return condition.has(field) && condition.path(field).asText().isEmpty();
    }
}
