package io.millrace.authoring.flow.step;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The settings of each type of step (contract flows-and-engine 2.6): parses them and returns a copy with known keys
 * only, without sample data. Schema violations are reported through the {@link Fields} of the step.
 */
public final class StepSchema {
    /** Piece versions are exact; a leading wildcard is accepted and stripped (seed, Versioning). */
    private static final Pattern PIECE_VERSION = Pattern.compile("^([~^])?[0-9]+\\.[0-9]+\\.[0-9]+$");

    /** Handling of a step that was running when its server crashed; our own addition (decision 0001). */
    private static final Pattern ON_CRASH = Pattern.compile("^(retry|fail)$");

    /** Programming languages of code steps; our own addition (decision 0252). */
    static final Pattern LANGUAGE = Pattern.compile("^(javascript|typescript|python)$");

    private enum PropertyMode {
        MANUAL,
        DYNAMIC
    }

    private StepSchema() {}

    /** Settings of a step that requires them; an empty placeholder when they are rejected. */
    public static ObjectNode settings(StepType type, Fields step) {
        if (type == StepType.EMPTY) {
            return Json.object();
        }
        if (!step.raw("settings").isObject()) {
            return step.object("settings");
        }
        var given = step.inner("settings");
        var settings = Json.object();
        switch (type) {
            case PIECE_TRIGGER -> {
                piece(given, settings, "triggerName");
                deliveryId(given, settings);
            }
            case PIECE -> {
                piece(given, settings, "actionName");
                errorHandling(given, settings);
            }
            case CODE -> {
                code(given, settings);
                errorHandling(given, settings);
            }
            case LOOP_ON_ITEMS -> settings.put("items", given.text("items"));
            case ROUTER -> RouterSchema.router(given, settings);
            case EMPTY -> throw new IllegalStateException("an empty trigger has no settings to read");
        }
        given.optionalText("customLogoUrl").ifPresent(url -> settings.put("customLogoUrl", url));
        return settings;
    }

    private static void piece(Fields given, ObjectNode settings, String nameField) {
        settings.put("pieceName", given.text("pieceName"));
        settings.put("pieceVersion", exactVersion(given.text("pieceVersion", PIECE_VERSION)));
        given.optionalText(nameField).ifPresent(name -> settings.put(nameField, name));
        settings.set("input", given.object("input"));
        settings.set("propertySettings", propertySettings(given));
    }

    /** A constant would make all events duplicates. */
    private static void deliveryId(Fields given, ObjectNode settings) {
        given.optionalText("deliveryId").filter(text -> !text.isBlank()).ifPresent(text -> {
            if (!text.contains("{{")) {
                given.refuse(
                        "deliveryId",
                        "Invalid string: expected an expression like {{trigger['output']['body']['id']}}");
            }
            settings.put("deliveryId", text);
        });
    }

    private static String exactVersion(String version) {
        return version.startsWith("~") || version.startsWith("^") ? version.substring(1) : version;
    }

    private static ObjectNode propertySettings(Fields given) {
        var settings = Json.object();
        var names = given.object("propertySettings").fieldNames();
        while (names.hasNext()) {
            var name = names.next();
            var property = given.inner("propertySettings").inner(name);
            var one = settings.putObject(name)
                    .put("type", property.option("type", PropertyMode.class).name());
            if (property.has("schema")) {
                one.set("schema", property.raw("schema"));
            }
        }
        return settings;
    }

    private static void code(Fields given, ObjectNode settings) {
        var source = settings.putObject("sourceCode");
        if (given.raw("sourceCode").isObject()) {
            var givenSource = given.inner("sourceCode");
            source.put("code", givenSource.text("code"));
            source.put("packageJson", givenSource.text("packageJson"));
            givenSource.optionalText("language", LANGUAGE).ifPresent(language -> source.put("language", language));
        } else {
            given.object("sourceCode");
        }
        settings.set("input", given.object("input"));
    }

    private static void errorHandling(Fields given, ObjectNode settings) {
        if (given.optionalObject("errorHandlingOptions").isEmpty()) {
            return;
        }
        var options = given.inner("errorHandlingOptions");
        var kept = settings.putObject("errorHandlingOptions");
        option(options, kept, "continueOnFailure");
        option(options, kept, "retryOnFailure");
        options.optionalText("onCrash", ON_CRASH).ifPresent(choice -> kept.put("onCrash", choice));
    }

    private static void option(Fields options, ObjectNode kept, String name) {
        if (options.optionalObject(name).isPresent()) {
            var option = kept.putObject(name);
            options.inner(name).optionalFlag("value").ifPresent(value -> option.put("value", value));
        }
    }

    /** The file ids of sample-data settings (2.9); the server sets the date of the test. */
    public static ObjectNode sampleDataOf(Fields given) {
        var sampleData = Json.object();
        for (var name : List.of("sampleDataFileId", "sampleDataInputFileId")) {
            given.optionalText(name).ifPresent(value -> sampleData.put(name, value));
        }
        return sampleData;
    }
}
