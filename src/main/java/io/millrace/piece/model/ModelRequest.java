package io.millrace.piece.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Request to a language model.
 *
 * @param system empty text for none
 * @param use permitted tool calls
 * @param webSearch options of the provider's own search, empty for none (contract agents 4.5)
 */
public record ModelRequest(
        String system,
        List<ModelMessage> messages,
        List<ModelTool> tools,
        ToolUse use,
        OptionalInt maxOutputTokens,
        OptionalDouble temperature,
        Optional<ObjectNode> webSearch) {
    public ModelRequest {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
    }

    public sealed interface ToolUse {
        /** The model chooses, including no call. */
        record Free() implements ToolUse {}

        /** No calls, although earlier messages contain some. */
        record Barred() implements ToolUse {}

        /** The model must call this tool. */
        record Forced(String name) implements ToolUse {}
    }

    public static ModelRequest of(String system, ModelMessage message, int maxOutputTokens) {
        return new ModelRequest(
                system,
                List.of(message),
                List.of(),
                new ToolUse.Free(),
                OptionalInt.of(maxOutputTokens),
                OptionalDouble.empty(),
                Optional.empty());
    }

    public ModelRequest withTemperature(OptionalDouble wanted) {
        return new ModelRequest(system, messages, tools, use, maxOutputTokens, wanted, webSearch);
    }

    public ModelRequest withWebSearch(ObjectNode options) {
        return new ModelRequest(system, messages, tools, use, maxOutputTokens, temperature, Optional.of(options));
    }

    public ModelRequest using(ToolUse other) {
        return new ModelRequest(system, messages, tools, other, maxOutputTokens, temperature, webSearch);
    }

    public ModelRequest saying(List<ModelMessage> others) {
        return new ModelRequest(system, others, tools, use, maxOutputTokens, temperature, webSearch);
    }

    /** The same without any tool, for a model that has none. */
    public ModelRequest withoutTools(String instruction) {
        return new ModelRequest(
                instruction, messages, List.of(), new ToolUse.Free(), maxOutputTokens, temperature, webSearch);
    }

    /** The same with one tool that must be called. */
    public ModelRequest forcing(ModelTool tool) {
        return new ModelRequest(
                system,
                messages,
                List.of(tool),
                new ToolUse.Forced(tool.name()),
                maxOutputTokens,
                temperature,
                webSearch);
    }
}
