package io.millrace.authoring.flow.version;

import io.millrace.base.core.input.Fields;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads notes out of requests (contract flows-and-engine 2.10, 4.18). */
public final class NoteReader {
    /** Default color of notes; the seed's notes have none. */
    private static final Note.Color COLOR_DEFAULT = Note.Color.BLUE;

    private NoteReader() {}

    public static Note note(Fields given) {
        return new Note(
                given.text("id"),
                given.text("content"),
                null,
                color(given),
                new Note.Position(number(given, "position", "x"), number(given, "position", "y")),
                new Note.Size(number(given, "size", "width"), number(given, "size", "height")),
                null,
                null);
    }

    private static Note.Color color(Fields given) {
        if (given.isAbsent("color")) {
            return COLOR_DEFAULT;
        }
        var word = given.raw("color");
        var color = word.isTextual() ? colorOf(word.textValue()) : Optional.<Note.Color>empty();
        if (color.isEmpty()) {
            given.refuse("color", "Invalid option: expected one of " + words());
        }
        return color.orElse(COLOR_DEFAULT);
    }

    private static Optional<Note.Color> colorOf(String word) {
        return Arrays.stream(Note.Color.values())
                .filter(color -> color.word().equals(word))
                .findFirst();
    }

    private static String words() {
        return Arrays.stream(Note.Color.values())
                .map(color -> '"' + color.word() + '"')
                .collect(Collectors.joining("|"));
    }

    private static double number(Fields given, String object, String name) {
        if (!given.raw(object).isObject()) {
            given.object(object);
            return 0;
        }
        var fields = given.inner(object);
        if (fields.isAbsent(name)) {
            fields.refuse(
                    name, "Invalid input: expected number, received " + (fields.has(name) ? "null" : "undefined"));
            return 0;
        }
        return fields.changedNumber(name).or(0.0);
    }
}
