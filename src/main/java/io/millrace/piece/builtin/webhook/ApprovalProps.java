package io.millrace.piece.builtin.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.piece.ApprovalRequest;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.property.Property;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

record ApprovalProps(ObjectNode input) {
    static final String APPROVE = "approve";
    static final String FAIL = "fail";
    private static final String DECLINE = "decline";

    private static final String ON_DEADLINE = "onDeadline";
    private static final String APPROVERS = "approvers";
    private static final String ESCALATE_TO = "escalateTo";
    private static final int DECISIONS_MAX = 100;
    private static final double HOURS_MAX = 3650 * 24.0;
    private static final Pattern ADDRESS = Pattern.compile("[^\\s@<>,;:\"]{1,64}@[a-z0-9.-]{1,253}");

    private static final Property DEADLINE_CHOICE = Props.choice(
                    "On Deadline", false, "Decline", DECLINE, "Approve", APPROVE, "Fail the step", FAIL)
            .describedAs("The result when the deadline passes without enough decisions.")
            .defaultingTo(TextNode.valueOf(DECLINE));

    private static final Property FORM = Props.list("Form", false)
            .describedAs("Fields that approvers fill in. The output has the values in `answers`.")
            .withItems(FormFields.of(Map.of(), "Number", "number", "Date", "date"));

    static final Map<String, Property> ALL = Props.of(
            Props.named("message", Props.longText("Message", true).describedAs("The decision that is requested.")),
            Props.named(
                    "data",
                    Props.object("Data", false).describedAs("Names and values that approvers need for the decision.")),
            Props.named("fields", FORM),
            Props.named(
                    APPROVERS,
                    Props.list("Approvers", false)
                            .describedAs(
                                    "E-mail addresses. Each gets a personal link by mail and needs no account. Without"
                                            + " approvers and role each member who can retry runs decides.")),
            Props.named(
                    "role",
                    Props.shortText("Project Role", false)
                            .describedAs("Members of the project with this role decide.")),
            Props.named("approvalsNeeded", count("Approvals Needed", "Number of approvals that approve the request.")),
            Props.named("declinesNeeded", count("Declines Needed", "Number of declines that decline the request.")),
            Props.named("deadlineHours", hours("Deadline in Hours", "Longest wait. Empty for no deadline.")),
            Props.named(ON_DEADLINE, DEADLINE_CHOICE),
            Props.named("remindHours", hours("Remind Every (Hours)", "Mails approvers without a decision again.")),
            Props.named(
                    "escalateHours",
                    hours(
                            "Escalate After (Hours)",
                            "Time without enough decisions after which more approvers are asked.")),
            Props.named(
                    ESCALATE_TO,
                    Props.list("Escalate To", false).describedAs("E-mail addresses of the additional approvers.")));

    private static Property count(String name, String description) {
        return Props.number(name, false).describedAs(description).defaultingTo(IntNode.valueOf(1));
    }

    private static Property hours(String name, String description) {
        return Props.number(name, false).describedAs(description);
    }

    static String onDeadline(ObjectNode input) {
        return Props.chosen(input, ON_DEADLINE, DEADLINE_CHOICE, DECLINE);
    }

    Optional<Instant> deadline(Instant now) {
        return duration("deadlineHours").map(now::plus);
    }

    ApprovalRequest request(Instant now) {
        onDeadline(input);
        var approvers = addresses(APPROVERS);
        var escalated = addresses(ESCALATE_TO);
        var escalation = duration("escalateHours")
                .filter(_ -> !escalated.isEmpty())
                .map(after -> new ApprovalRequest.Escalation(now.plus(after), escalated));
        var role = Optional.of(input.path("role").asText("").strip()).filter(name -> !name.isEmpty());
        var quorum = new ApprovalRequest.Quorum(number("approvalsNeeded"), number("declinesNeeded"));
        if (role.isEmpty() && !approvers.isEmpty() && quorum.approvals() > approvers.size() + escalated.size()) {
            throw PieceFailure.of("Approvals Needed: expected at most the number of approvers, "
                    + (approvers.size() + escalated.size()) + ", found " + quorum.approvals());
        }
        return new ApprovalRequest(shown(), approvers, role, quorum, duration("remindHours"), escalation);
    }

    private ObjectNode shown() {
        var shown = Json.object().put("message", input.path("message").asText(""));
        var data = input.path("data");
        shown.set("data", data.isObject() ? data : Json.object());
        var fields = shown.putArray("fields");
        for (var field : input.path("fields")) {
            var name = field.path("displayName").asText("").strip();
            if (name.isEmpty()) {
                throw PieceFailure.of("Form: expected a name of each field, found none");
            }
            fields.addObject()
                    .put("name", FormTrigger.keyOf(name))
                    .put("displayName", name)
                    .put("type", field.path("type").asText("text"))
                    .put("required", field.path("required").asBoolean(false));
        }
        return shown;
    }

    private List<String> addresses(String property) {
        var found = new ArrayList<String>();
        var value = input.path(property);
        for (var item : value.isArray() ? value : Json.array().add(value)) {
            var address = text(item).strip().toLowerCase(Locale.ROOT);
            if (address.isEmpty() || found.contains(address)) {
                continue;
            }
            if (!ADDRESS.matcher(address).matches()) {
                throw PieceFailure.of(property + ": expected an e-mail address, found " + address);
            }
            found.add(address);
        }
        return found;
    }

    private static String text(JsonNode value) {
        return value.isNull() || value.isMissingNode() ? "" : value.asText();
    }

    private int number(String property) {
        var value = input.path(property);
        var number = value.isNumber() ? value.doubleValue() : 1;
        if (number < 1 || number > DECISIONS_MAX || number != Math.rint(number)) {
            throw PieceFailure.of(
                    property + ": expected a whole number of 1 to " + DECISIONS_MAX + ", found " + value.asText());
        }
        return (int) number;
    }

    private Optional<Duration> duration(String property) {
        var value = input.path(property);
        if (!value.isNumber()) {
            return Optional.empty();
        }
        var hours = value.doubleValue();
        if (!(hours > 0 && hours <= HOURS_MAX)) {
            throw PieceFailure.of(property + ": expected a number of hours above 0, found " + value.asText());
        }
        return Optional.of(Duration.ofMillis(Math.max(1, Math.round(hours * 3_600_000))));
    }
}
