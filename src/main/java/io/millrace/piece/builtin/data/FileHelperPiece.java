package io.millrace.piece.builtin.data;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.ReceivedText;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.ComputedAction;
import io.millrace.piece.builtin.action.ContextAction;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.builtin.action.TextEncoding;
import io.millrace.piece.catalogue.PieceCategory;
import io.millrace.piece.input.FileNames;
import io.millrace.piece.input.FileValue;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.Property.Option;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Files Helper: reads files, writes them and packs them (contract pieces 14.3). */
public final class FileHelperPiece {
    private static final Property OUTPUT_FORMAT = Props.choice(
                    "Output format", true, "Text", "text", "Base64", "base64")
            .describedAs("Encoding of the content.");

    private static final List<Option> ENCODINGS = Arrays.stream(TextEncoding.values())
            .map(encoding -> new Option(encoding.label(), TextNode.valueOf(encoding.value())))
            .toList();

    private FileHelperPiece() {}

    public static Piece create() {
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "file-helper",
                        "Files Helper",
                        "Reads, writes and packs files.",
                        "new-core/file-helper.svg",
                        List.of(PieceCategory.CORE),
                        List.of("0.2.0", "0.1.4", "0.0.9")),
                List.of(read(), write(), changeEncoding(), checkType(), ZipFiles.zip(), ZipFiles.unzip(), fileName()),
                List.of());
    }

    private static ComputedAction read() {
        var props = Props.of(Props.named("file", Props.file("File", true)), Props.named("readOptions", OUTPUT_FORMAT));
        return ComputedAction.linear(
                ComputedAction.pure("read_file", "Read File", "Returns the content of a file.", props),
                FileHelperPiece::content);
    }

    private static JsonNode content(ObjectNode input) {
        var file = fileIn(input, "file");
        var bytes = file.data().getBytes();
        if (Props.chosen(input, "readOptions", OUTPUT_FORMAT, "text").equals("text")) {
            var text = ReceivedText.of(bytes)
                    .orElseThrow(() -> PieceFailure.of("file: expected text in UTF-8 or with a byte order mark or"
                            + " declaration, found other bytes; change its encoding first, or read it as Base64"));
            return Json.object().put("text", text.text());
        }
        var base64 = Base64.getEncoder().encodeToString(bytes);
        var mediaType = FileNames.mediaTypeOf(file.fileName());
        return Json.object().put("base64", base64).put("base64WithMimeType", "data:" + mediaType + ";base64," + base64);
    }

    /** Returns the file of a property; throws PieceFailure if there is none or it could not be read. */
    public static FileValue fileIn(JsonNode input, String name) {
        return FileValue.of(input.path(name))
                .orElseThrow(() -> PieceFailure.of(name + ": expected a file, found none that can be read"));
    }

    private static ContextAction write() {
        var props = Props.of(
                Props.named("content", Props.longText("Content", true)),
                Props.named("fileName", Props.shortText("File name", true)),
                Props.named("encoding", encoding("Encoding").defaultingTo(TextNode.valueOf("utf8"))));
        return writing("createFile", "Create file", "Writes a text into a file.", props, context -> {
            var input = context.props();
            var fileName = input.path("fileName").asText("");
            var bytes = TextEncoding.named("encoding", input.path("encoding").asText("utf8"))
                    .bytes("content", input.path("content").asText());
            return context.writeFile(fileName, Buffer.buffer(bytes))
                    .map(url -> Json.object().put("fileName", fileName).put("url", url));
        });
    }

    private static Property encoding(String displayName) {
        return Props.choice(displayName, true, ENCODINGS);
    }

    private static ContextAction changeEncoding() {
        var props = Props.of(
                Props.named("inputFile", Props.file("Source file", true)),
                Props.named("inputEncoding", encoding("Source encoding")),
                Props.named("outputFileName", Props.shortText("Output file name", true)),
                Props.named("outputEncoding", encoding("Output encoding")));
        return writing(
                "change_file_encoding",
                "Change File Encoding",
                "Converts a file to another encoding.",
                props,
                context -> {
                    var input = context.props();
                    var from = TextEncoding.named(
                            "inputEncoding", input.path("inputEncoding").asText());
                    var to = TextEncoding.named(
                            "outputEncoding", input.path("outputEncoding").asText());
                    var bytes = from.recoded(
                            "inputFile", fileIn(input, "inputFile").data().getBytes(), to);
                    return context.writeFile(input.path("outputFileName").asText(), Buffer.buffer(bytes))
                            .map(TextNode::valueOf);
                });
    }

    /** Editors hide the error options. */
    static ContextAction writing(
            String name,
            String displayName,
            String description,
            Map<String, Property> props,
            Function<StepContext, Future<JsonNode>> body) {
        return new ContextAction(new ActionSpec(name, displayName, description, props, true, false, false), body);
    }

    private static ComputedAction fileName() {
        return new ComputedAction(
                ComputedAction.pure(
                        "get_file_name",
                        "Get File Name",
                        "Returns the name of a file.",
                        Props.of(Props.named("file", Props.file("File", true)))),
                input -> Json.object().put("fileName", fileIn(input, "file").fileName()));
    }

    private static ComputedAction checkType() {
        var types = FileNames.mediaTypes().stream()
                .map(type -> new Option(type, TextNode.valueOf(type)))
                .toList();
        var props = Props.of(
                Props.named("file", Props.file("File to Check", true)),
                Props.named(
                        "mimeTypes",
                        Props.choice("Select MIME Types", true, types)
                                .describedAs("The type that the file should have.")));
        return new ComputedAction(
                ComputedAction.pure("checkFileType", "Check file type", "Checks the type of a file.", props), input -> {
                    var type = FileNames.mediaTypeOf(fileIn(input, "file").fileName());
                    var wanted = input.path("mimeTypes");
                    var isMatch = wanted.isArray()
                            ? wanted.valueStream().anyMatch(one -> one.asText().equals(type))
                            : wanted.asText().equals(type);
                    return Json.object().put("mimeType", type).put("isMatch", isMatch);
                });
    }
}
