package io.millrace.authoring.flow.editor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.testcase.FlowTestCase;
import io.millrace.authoring.flow.version.BodyPath;
import io.millrace.authoring.flow.version.Note;
import io.millrace.authoring.flow.version.NoteReader;
import io.millrace.authoring.flow.version.StepReader;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.authoring.flow.version.TreeMigration;
import io.millrace.authoring.flow.version.TreeReader;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Parses IMPORT_FLOW (contract flows-and-engine 2.14, 4.13): the trigger must match its schema, the actions below it
 * are parsed by {@link TreeReader}, and everything is migrated to the current schema.
 */
final class ImportReader {
    private static final BodyPath TRIGGER =
            new BodyPath(new BodyPath(new BodyPath(null, "body"), "request"), "trigger");

    private static final String TESTS = "tests";

    /** Highest value of AP_FLOW_TESTS_MAX. */
    private static final int TESTS_MAX = 2_000;

    private ImportReader() {}

    /** The request with its trigger in the current schema; undated triggers of old schemas get a placeholder date. */
    static ObjectNode upgraded(ObjectNode request) {
        if (!(request.path("trigger") instanceof ObjectNode trigger)) {
            return request;
        }
        var migration = migrationOf(request);
        var upgraded = copyOf((ObjectNode) migration.upgraded(trigger));
        if (migration.mayBeUndated() && !upgraded.has("lastUpdatedDate")) {
            upgraded.put("lastUpdatedDate", "");
        }
        var copy = copyOf(request);
        copy.set("trigger", upgraded);
        return copy;
    }

    private static ObjectNode copyOf(ObjectNode object) {
        var copy = Json.object();
        object.properties().forEach(field -> copy.set(field.getKey(), field.getValue()));
        return copy;
    }

    private static TreeMigration migrationOf(ObjectNode request) {
        return new TreeMigration(request.path("schemaVersion").textValue());
    }

    /**
     * Reads the request.
     *
     * @param request the fields without links
     * @param original the same request with links
     */
    static FlowOperation.ImportFlow read(Fields request, ObjectNode original) {
        var displayName = request.text("displayName");
        request.orNull().optionalText("schemaVersion");
        if (!request.raw("trigger").isObject()) {
            request.object("trigger");
        }
        if (!request.isSound()) {
            throw OperationReader.refused(request);
        }
        var trigger = request.inner("trigger");
        trigger.text("lastUpdatedDate");
        var root = StepReader.trigger(trigger);
        var notes = notes(request);
        var tests = request.orNull().isAbsent(TESTS)
                ? Optional.<List<FlowTestCase>>empty()
                : Optional.of(FlowTestCase.readAll(request, TESTS, TESTS_MAX));
        request.done();
        var migration = migrationOf(original);
        var actions = TreeReader.importedActions(original.path("trigger"), TRIGGER, migration);
        var tree = migration.withCurrentReferences(new StepTree(root, actions));
        return new FlowOperation.ImportFlow(displayName, tree, notes, tests);
    }

    private static List<Note> notes(Fields request) {
        var notes = new ArrayList<Note>();
        if (!request.orNull().isAbsent("notes")) {
            var index = 0;
            if (request.array("notes").size() > NoteEditor.NOTES_MAX) {
                throw StepTree.refusal("expected at most " + NoteEditor.NOTES_MAX + " notes");
            }
            for (var note : request.array("notes")) {
                notes.add(NoteReader.note(request.element("notes", index, note)));
                index++;
            }
        }
        return notes;
    }
}
