package io.millrace.authoring.flow.editor;

import io.millrace.authoring.flow.editor.FlowOperation.NoteEdit;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.authoring.flow.version.Note;
import io.millrace.authoring.flow.version.StepTree;
import java.util.ArrayList;

/** Edits the notes of a version (contract flows-and-engine 4.18). */
final class NoteEditor {
    static final int NOTES_MAX = 1000;

    private NoteEditor() {}

    static FlowVersion apply(FlowVersion version, NoteEdit edit, FlowEditor.Context context) {
        return switch (edit) {
            case FlowOperation.AddNote(var note) -> added(version, note, context);
            case FlowOperation.UpdateNote update ->
                version.noted(version.notes().stream()
                        .map(note ->
                                note.id().equals(update.note().id()) ? updated(note, update, context.time()) : note)
                        .toList());
            case FlowOperation.DeleteNote(var id) ->
                version.noted(version.notes().stream()
                        .filter(note -> !note.id().equals(id))
                        .toList());
        };
    }

    private static FlowVersion added(FlowVersion version, Note note, FlowEditor.Context context) {
        if (version.notes().size() >= NOTES_MAX) {
            throw StepTree.refusal("expected at most " + NOTES_MAX + " notes");
        }
        var notes = new ArrayList<>(version.notes());
        notes.add(note.stamped(context.user(), context.time(), context.time()));
        return version.noted(notes);
    }

    private static Note updated(Note old, FlowOperation.UpdateNote update, String now) {
        var note = update.note();
        return new Note(
                old.id(),
                note.content(),
                update.ownerId().or(old.ownerId()),
                update.colorGiven() ? note.color() : old.color(),
                note.position(),
                note.size(),
                old.createdAt(),
                now);
    }
}
