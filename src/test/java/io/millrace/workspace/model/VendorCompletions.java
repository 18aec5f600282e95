package io.millrace.workspace.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.workspace.model.VendorServer.Result;
import io.millrace.workspace.model.VendorServer.Wanted;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;

/** Chat completions in the dialects of four providers. */
enum VendorCompletions implements VendorServer.Dialect {
    /** Whole calls in events of their own, each with index 0; finish reason {@code stop}. */
    OLLAMA {
        @Override
        List<ObjectNode> events(List<Wanted> calls) {
            var events = new ArrayList<ObjectNode>();
            for (var call : calls) {
                var event = delta(Json.object().put("role", "assistant").put("content", ""));
                addCall(event, 0, call.id(), call.tool(), call.argumentsText());
                events.add(event);
            }
            events.add(finish("stop"));
            return events;
        }

        @Override
        void checkTurn(HttpServerRequest request, JsonNode assistant, List<String> objections) {
            require(assistant.isMissingNode() || assistant.path("tool_calls").isArray(), "tool_calls", objections);
        }
    },

    /** Reasoning in fragments, which must be sent back whole with the calls. */
    DEEPSEEK {
        @Override
        List<ObjectNode> events(List<Wanted> calls) {
            var events = new ArrayList<ObjectNode>();
            events.add(delta(Json.object().put("role", "assistant").put("reasoning_content", "I have ")));
            events.add(delta(Json.object().put("reasoning_content", "to calculate.")));
            events.addAll(pieces(calls));
            events.add(finish("tool_calls"));
            return events;
        }

        @Override
        void checkTurn(HttpServerRequest request, JsonNode assistant, List<String> objections) {
            require(isBearer(request), "authorization", objections);
            require(
                    assistant.isMissingNode()
                            || assistant.path("reasoning_content").asText().equals("I have to calculate."),
                    "reasoning_content",
                    objections);
        }
    },

    /**
     * Comments between events, an empty list of choices with the usage, and details of the reasoning that must be sent
     * back.
     */
    OPENROUTER {
        @Override
        List<ObjectNode> events(List<Wanted> calls) {
            var events = new ArrayList<ObjectNode>();
            var thought = Json.object();
            thought.putArray("reasoning_details")
                    .addObject()
                    .put("type", "reasoning.text")
                    .put("index", 0)
                    .put("text", "Sums.")
                    .put("signature", "s1gned");
            events.add(delta(thought));
            events.addAll(pieces(calls));
            events.add(finish("tool_calls"));
            return events;
        }

        @Override
        String beforeEvent() {
            return ": OPENROUTER PROCESSING\n\n";
        }

        @Override
        void checkTurn(HttpServerRequest request, JsonNode assistant, List<String> objections) {
            require(isBearer(request), "authorization", objections);
            require(
                    assistant.isMissingNode()
                            || assistant
                                    .at("/reasoning_details/0/signature")
                                    .asText()
                                    .equals("s1gned"),
                    "reasoning_details",
                    objections);
        }
    },

    /**
     * An event without choices first, the results of the content filter in each, and interleaved fragments of two
     * calls.
     */
    AZURE {
        @Override
        List<ObjectNode> events(List<Wanted> calls) {
            var events = new ArrayList<ObjectNode>();
            var filtered = Json.object();
            filtered.putArray("choices");
            filtered.putArray("prompt_filter_results").addObject().put("prompt_index", 0);
            events.add(filtered);
            for (var index = 0; index < calls.size(); index++) {
                var call = calls.get(index);
                var event = delta(Json.object());
                addCall(event, index, call.id(), call.tool(), "");
                events.add(event);
            }
            var half = calls.getFirst().argumentsText().length() / 2;
            for (var from : new boolean[] {true, false}) {
                for (var index = 0; index < calls.size(); index++) {
                    var text = calls.get(index).argumentsText();
                    var event = delta(Json.object());
                    addCall(event, index, null, null, from ? text.substring(0, half) : text.substring(half));
                    events.add(event);
                }
            }
            events.add(finish("tool_calls"));
            return events;
        }

        @Override
        void checkTurn(HttpServerRequest request, JsonNode assistant, List<String> objections) {
            require("k3y9".equals(request.getHeader("api-key")), "api-key", objections);
            require(
                    request.path().endsWith("/openai/deployments/m-1/chat/completions")
                            && request.getParam("api-version") != null,
                    "deployment and api-version in " + request.uri(),
                    objections);
        }
    };

    abstract List<ObjectNode> events(List<Wanted> calls);

    abstract void checkTurn(HttpServerRequest request, JsonNode assistant, List<String> objections);

    /** Text before each event of a stream. */
    String beforeEvent() {
        return "";
    }

    private static ObjectNode delta(ObjectNode delta) {
        var event = Json.object().put("object", "chat.completion.chunk").put("model", "m-1");
        event.putArray("choices")
                .addObject()
                .put("index", 0)
                .putNull("finish_reason")
                .set("delta", delta);
        return event;
    }

    private static ObjectNode finish(String reason) {
        var event = delta(Json.object());
        ((ObjectNode) event.at("/choices/0")).put("finish_reason", reason);
        event.putObject("usage").put("prompt_tokens", 10).put("completion_tokens", 5);
        return event;
    }

    private static void addCall(ObjectNode event, int index, String id, String name, String arguments) {
        var call = ((ObjectNode) event.at("/choices/0/delta"))
                .putArray("tool_calls")
                .addObject();
        call.put("index", index);
        if (id != null) {
            call.put("id", id).put("type", "function");
        }
        var function = call.putObject("function").put("arguments", arguments);
        if (name != null) {
            function.put("name", name);
        }
    }

    /** Each call in fragments of its arguments, one call after the other. */
    private static List<ObjectNode> pieces(List<Wanted> calls) {
        var events = new ArrayList<ObjectNode>();
        for (var index = 0; index < calls.size(); index++) {
            var call = calls.get(index);
            var first = delta(Json.object());
            addCall(first, index, call.id(), call.tool(), "");
            events.add(first);
            for (var letter : call.argumentsText().split("(?<=\\G.{5})")) {
                var event = delta(Json.object());
                addCall(event, index, null, null, letter);
                events.add(event);
            }
        }
        return events;
    }

    private static boolean isBearer(HttpServerRequest request) {
        return "Bearer k3y9".equals(request.getHeader("authorization"));
    }

    static void require(boolean holds, String field, List<String> objections) {
        if (!holds) {
            objections.add("expected " + field);
        }
    }

    @Override
    public String contentType() {
        return "text/event-stream";
    }

    @Override
    public List<String> tools(JsonNode question) {
        return question.path("tools")
                .valueStream()
                .map(tool -> tool.at("/function/name").asText())
                .toList();
    }

    @Override
    public List<Result> results(JsonNode question) {
        return question.path("messages")
                .valueStream()
                .filter(message -> message.path("role").asText().equals("tool"))
                .map(message -> new Result(
                        message.path("tool_call_id").asText(),
                        message.path("content").asText()))
                .toList();
    }

    /** Each result follows the message with its call. */
    @Override
    public void check(HttpServerRequest request, JsonNode question, int resultCount, List<String> objections) {
        var assistants = question.path("messages")
                .valueStream()
                .filter(message -> message.path("role").asText().equals("assistant"))
                .toList();
        require(assistants.isEmpty() == (resultCount == 0), "results with their calls", objections);
        assistants.forEach(message -> checkTurn(request, message, objections));
        checkTurn(request, Json.object().path("none"), objections);
    }

    @Override
    public Buffer calls(List<Wanted> calls) {
        return framed(events(calls));
    }

    @Override
    public Buffer text(String text) {
        return framed(List.of(
                delta(Json.object().put("role", "assistant").put("content", text.substring(0, 5))),
                delta(Json.object().put("content", text.substring(5))),
                finish("stop")));
    }

    private Buffer framed(List<ObjectNode> events) {
        var body = new StringBuilder();
        events.forEach(event -> body.append(beforeEvent())
                .append("data: ")
                .append(Json.text(event))
                .append("\n\n"));
        return Buffer.buffer(body.append("data: [DONE]\n\n").toString());
    }
}
