package io.millrace.fault;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Comparison of flows that {@link EditWriters} have edited with the confirmations that the writers received.
 *
 * @param edits operations that the writers made
 * @param reloads number of times that a writer closed and reopened its page with unconfirmed edits
 * @param unclear edits whose outcome the console could not report to its user
 * @param lost confirmed edits that the flow does not contain, by marker
 * @param doubled edits that the flow contains more than once, or again after their removal, by marker
 * @param unsettled edits that the server has not confirmed at the end
 * @param conflicts conflicts shown to writers, although they change no common property
 * @param complaints error messages shown to writers
 */
record EditReckoning(
        int writers,
        int edits,
        int reloads,
        int unclear,
        Map<String, String> lost,
        Map<String, String> doubled,
        int unsettled,
        int conflicts,
        List<String> complaints) {
    private static final int SHOWN_MAX = 5;

    /**
     * Compares the last report of each writer with the drafts.
     *
     * @param told last line of each writer's output
     * @param versions draft of each flow
     */
    static EditReckoning of(List<JsonNode> told, List<JsonNode> versions) {
        var found = new HashMap<String, List<String>>();
        versions.forEach(version -> collect(version, found));
        var lost = new TreeMap<String, String>();
        var doubled = new TreeMap<String, String>();
        for (var writer : told) {
            writer.path("expected").properties().forEach(entry -> {
                var names = found.getOrDefault(entry.getKey(), List.of());
                judge(entry.getKey(), entry.getValue(), names, lost, doubled);
                found.remove(entry.getKey());
            });
        }
        found.forEach(
                (marker, names) -> doubled.put(marker, "an edit that no writer made, " + names.size() + " times"));
        return new EditReckoning(
                told.size(),
                sum(told, "edits"),
                sum(told, "reloads"),
                sum(told, "unclear"),
                lost,
                doubled,
                sum(told, "unsettled"),
                sum(told, "conflicts"),
                told.stream()
                        .flatMap(writer -> writer.path("reasons").valueStream())
                        .map(JsonNode::asText)
                        .distinct()
                        .toList());
    }

    private static void judge(
            String marker,
            JsonNode expected,
            List<String> names,
            Map<String, String> lost,
            Map<String, String> doubled) {
        var min = expected.path("min").asInt();
        var max = expected.path("max").asInt();
        var times = "expected " + (min == max ? "" : min + " to ") + max + ", found " + names.size();
        if (names.size() < min) {
            lost.put(marker, times);
        } else if (names.size() > max) {
            doubled.put(marker, times);
        } else if (min > 0
                && expected.hasNonNull("value")
                && !names.contains(expected.path("value").asText())) {
            lost.put(marker, "expected the name \"" + expected.path("value").asText() + "\", found " + names);
        }
    }

    /** Names of the steps, branches and notes of a version, by their markers. */
    private static void collect(JsonNode version, Map<String, List<String>> found) {
        version.path("notes").forEach(note -> add(found, note.path("content").asText(), ""));
        steps(version.path("trigger"), found);
    }

    private static void steps(JsonNode step, Map<String, List<String>> found) {
        if (!step.isObject()) {
            return;
        }
        if (step.at("/settings/input/of").isTextual()) {
            add(
                    found,
                    step.at("/settings/input/of").asText(),
                    step.path("displayName").asText());
        }
        for (var branch : step.at("/settings/branches")) {
            if (branch.path("branchType").asText().equals("CONDITION")) {
                add(found, branch.path("branchName").asText(), "");
            }
        }
        step.path("children").forEach(child -> steps(child, found));
        steps(step.path("nextAction"), found);
    }

    private static void add(Map<String, List<String>> found, String marker, String name) {
        found.computeIfAbsent(marker, _ -> new ArrayList<>()).add(name);
    }

    private static int sum(List<JsonNode> told, String field) {
        return told.stream().mapToInt(writer -> writer.path(field).asInt()).sum();
    }

    /** True if no edit was lost, doubled or left unconfirmed. */
    boolean isClean() {
        return edits > 0 && lost.isEmpty() && doubled.isEmpty() && unsettled == 0 && conflicts == 0;
    }

    /** One line of figures, and the first deviations. */
    String text() {
        var lines = new ArrayList<String>();
        lines.add(
                ("console edits: %d by %d writers, pages reloaded %d; lost %d, doubled %d, unsettled %d, conflicts %d,"
                                + " outcome not known %d")
                        .formatted(
                                edits, writers, reloads, lost.size(), doubled.size(), unsettled, conflicts, unclear));
        show(lines, "lost", lost);
        show(lines, "doubled", doubled);
        complaints.stream().limit(SHOWN_MAX).forEach(text -> lines.add("  shown to a writer: " + text));
        return String.join("\n", lines);
    }

    private static void show(List<String> lines, String kind, Map<String, String> edits) {
        edits.entrySet().stream()
                .limit(SHOWN_MAX)
                .forEach(edit -> lines.add("  " + kind + ": edit " + edit.getKey() + ", " + edit.getValue()));
    }
}
