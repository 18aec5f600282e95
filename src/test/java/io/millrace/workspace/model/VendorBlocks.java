package io.millrace.workspace.model;

import static io.millrace.workspace.model.VendorCompletions.require;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.workspace.model.VendorServer.Result;
import io.millrace.workspace.model.VendorServer.Wanted;
import io.millrace.workspace.model.format.EventFrameWriter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Responses in blocks, in the formats of Anthropic, Google and Amazon. */
final class VendorBlocks {
    private static final String SIGNATURE = "c2lnbmVk";

    private VendorBlocks() {}

    private static Stream<JsonNode> within(JsonNode question, String messages, String parts) {
        return question.path(messages)
                .valueStream()
                .flatMap(message -> message.path(parts).valueStream());
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.trusted(text.replace('\'', '"'));
    }

    /** Messages with a signed block of thoughts, which must be sent back before the calls of its turn. */
    static final class Anthropic implements VendorServer.Dialect {
        @Override
        public String contentType() {
            return "text/event-stream; charset=utf-8";
        }

        @Override
        public List<String> tools(JsonNode question) {
            return question.path("tools")
                    .valueStream()
                    .map(tool -> tool.path("name").asText())
                    .toList();
        }

        @Override
        public List<Result> results(JsonNode question) {
            return within(question, "messages", "content")
                    .filter(block -> block.path("type").asText().equals("tool_result"))
                    .map(block -> new Result(block.path("tool_use_id").asText(), Json.text(block.path("content"))))
                    .toList();
        }

        @Override
        public void check(HttpServerRequest request, JsonNode question, int resultCount, List<String> objections) {
            require("k3y9".equals(request.getHeader("x-api-key")), "x-api-key", objections);
            require("2023-06-01".equals(request.getHeader("anthropic-version")), "anthropic-version", objections);
            require(question.path("max_tokens").isInt(), "max_tokens", objections);
            question.path("messages")
                    .valueStream()
                    .filter(message -> message.path("role").asText().equals("assistant"))
                    .forEach(message -> require(
                            message.at("/content/0/type").asText().equals("thinking")
                                    && message.at("/content/0/signature")
                                            .asText()
                                            .equals(SIGNATURE),
                            "the signed thoughts first in " + message,
                            objections));
        }

        @Override
        public Buffer calls(List<Wanted> calls) {
            var events = new ArrayList<ObjectNode>();
            events.add(json("{'type':'message_start','message':{'usage':{'input_tokens':10,'output_tokens':1}}}"));
            events.add(json("{'type':'ping'}"));
            events.add(
                    json(
                            "{'type':'content_block_start','index':0,'content_block':{'type':'thinking','thinking':'','signature':''}}"));
            events.add(json(
                    "{'type':'content_block_delta','index':0,'delta':{'type':'thinking_delta','thinking':'Sums.'}}"));
            events.add(json("{'type':'content_block_delta','index':0,'delta':{'type':'signature_delta','signature':'"
                    + SIGNATURE + "'}}"));
            events.add(json("{'type':'content_block_stop','index':0}"));
            for (var index = 0; index < calls.size(); index++) {
                var call = calls.get(index);
                events.add(json("{'type':'content_block_start','index':" + (index + 1)
                        + ",'content_block':{'type':'tool_use','id':'" + call.id() + "','name':'" + call.tool()
                        + "','input':{}}}"));
                for (var part : call.argumentsText().split("(?<=\\G.{7})")) {
                    var event = json("{'type':'content_block_delta','index':" + (index + 1)
                            + ",'delta':{'type':'input_json_delta'}}");
                    event.withObjectProperty("delta").put("partial_json", part);
                    events.add(event);
                }
                events.add(json("{'type':'content_block_stop','index':" + (index + 1) + "}"));
            }
            events.add(json("{'type':'message_delta','delta':{'stop_reason':'tool_use'},'usage':{'output_tokens':5}}"));
            events.add(json("{'type':'message_stop'}"));
            return framed(events);
        }

        @Override
        public Buffer text(String text) {
            return framed(List.of(
                    json("{'type':'message_start','message':{'usage':{'input_tokens':10,'output_tokens':1}}}"),
                    json("{'type':'content_block_start','index':0,'content_block':{'type':'text','text':''}}"),
                    json("{'type':'content_block_delta','index':0,'delta':{'type':'text_delta','text':'" + text
                            + "'}}"),
                    json("{'type':'content_block_stop','index':0}"),
                    json("{'type':'message_delta','delta':{'stop_reason':'end_turn'},'usage':{'output_tokens':5}}"),
                    json("{'type':'message_stop'}")));
        }

        private static Buffer framed(List<ObjectNode> events) {
            var body = new StringBuilder();
            events.forEach(event -> body.append("event: ")
                    .append(event.path("type").asText())
                    .append("\ndata: ")
                    .append(Json.text(event))
                    .append("\n\n"));
            return Buffer.buffer(body.toString());
        }
    }

    /** Parts with whole calls without ids; the signature of the first one must be sent back in its part. */
    static final class Gemini implements VendorServer.Dialect {
        @Override
        public String contentType() {
            return "text/event-stream";
        }

        @Override
        public List<String> tools(JsonNode question) {
            return within(question, "tools", "functionDeclarations")
                    .map(tool -> tool.path("name").asText())
                    .toList();
        }

        @Override
        public List<Result> results(JsonNode question) {
            return within(question, "contents", "parts")
                    .filter(part -> part.has("functionResponse"))
                    .map(part -> new Result(
                            part.at("/functionResponse/name").asText(),
                            Json.text(part.at("/functionResponse/response"))))
                    .toList();
        }

        @Override
        public void check(HttpServerRequest request, JsonNode question, int resultCount, List<String> objections) {
            require("k3y9".equals(request.getHeader("x-goog-api-key")), "x-goog-api-key", objections);
            require(
                    request.path().contains("/v1beta/models/m-1:streamGenerateContent")
                            && "sse".equals(request.getParam("alt")),
                    "a stream of events in " + request.uri(),
                    objections);
            question.path("contents")
                    .valueStream()
                    .filter(content -> content.path("role").asText().equals("model"))
                    .forEach(content -> require(
                            content.path("parts")
                                    .valueStream()
                                    .filter(part -> part.has("functionCall"))
                                    .findFirst()
                                    .filter(part -> part.path("thoughtSignature")
                                            .asText()
                                            .equals(SIGNATURE))
                                    .isPresent(),
                            "thoughtSignature of the first call in " + content,
                            objections));
        }

        @Override
        public Buffer calls(List<Wanted> calls) {
            var events = new ArrayList<ObjectNode>();
            for (var call : calls) {
                var part = Json.object();
                part.putObject("functionCall").put("name", call.tool()).set("args", call.arguments());
                if (events.isEmpty()) {
                    part.put("thoughtSignature", SIGNATURE);
                }
                events.add(event(part));
            }
            ((ObjectNode) events.getLast().at("/candidates/0")).put("finishReason", "STOP");
            return framed(events);
        }

        @Override
        public Buffer text(String text) {
            var event = event(Json.object().put("text", text));
            ((ObjectNode) event.at("/candidates/0")).put("finishReason", "STOP");
            return framed(List.of(event));
        }

        private static ObjectNode event(ObjectNode part) {
            var event = json("{'usageMetadata':{'promptTokenCount':10,'candidatesTokenCount':5}}");
            var content = event.putArray("candidates").addObject().putObject("content");
            content.put("role", "model").putArray("parts").add(part);
            return event;
        }

        private static Buffer framed(List<ObjectNode> events) {
            var body = new StringBuilder();
            events.forEach(
                    event -> body.append("data: ").append(Json.text(event)).append("\r\n\r\n"));
            return Buffer.buffer(body.toString());
        }
    }

    /** Binary frames; signed reasoning must be sent back before the calls of its turn. */
    static final class Bedrock implements VendorServer.Dialect {
        @Override
        public String contentType() {
            return "application/vnd.amazon.eventstream";
        }

        @Override
        public List<String> tools(JsonNode question) {
            return question.at("/toolConfig/tools")
                    .valueStream()
                    .map(tool -> tool.at("/toolSpec/name").asText())
                    .toList();
        }

        @Override
        public List<Result> results(JsonNode question) {
            return within(question, "messages", "content")
                    .filter(block -> block.has("toolResult"))
                    .map(block -> new Result(
                            block.at("/toolResult/toolUseId").asText(), Json.text(block.at("/toolResult/content"))))
                    .toList();
        }

        @Override
        public void check(HttpServerRequest request, JsonNode question, int resultCount, List<String> objections) {
            var signed = String.valueOf(request.getHeader("authorization"));
            require(
                    signed.startsWith("AWS4-HMAC-SHA256 Credential=AKIA")
                            && signed.contains("/eu-west-1/bedrock/aws4_request"),
                    "a signature for the region",
                    objections);
            require(request.path().endsWith("/model/m-1/converse-stream"), "converse-stream", objections);
            question.path("messages")
                    .valueStream()
                    .filter(message -> message.path("role").asText().equals("assistant"))
                    .forEach(message -> require(
                            message.at("/content/0/reasoningContent/reasoningText/signature")
                                    .asText()
                                    .equals(SIGNATURE),
                            "the signed reasoning first in " + message,
                            objections));
        }

        @Override
        public Buffer calls(List<Wanted> calls) {
            var frames = Buffer.buffer()
                    .appendBuffer(EventFrameWriter.event("messageStart", "{\"role\":\"assistant\"}"))
                    .appendBuffer(delta(0, json("{'reasoningContent':{'text':'Sums.'}}")))
                    .appendBuffer(delta(0, json("{'reasoningContent':{'signature':'" + SIGNATURE + "'}}")))
                    .appendBuffer(EventFrameWriter.event("contentBlockStop", "{\"contentBlockIndex\":0}"));
            for (var index = 0; index < calls.size(); index++) {
                var call = calls.get(index);
                var start = Json.object().put("contentBlockIndex", index + 1);
                start.putObject("start")
                        .putObject("toolUse")
                        .put("toolUseId", call.id())
                        .put("name", call.tool());
                frames.appendBuffer(EventFrameWriter.event("contentBlockStart", Json.text(start)));
                for (var part : call.argumentsText().split("(?<=\\G.{7})")) {
                    var piece = Json.object();
                    piece.putObject("toolUse").put("input", part);
                    frames.appendBuffer(delta(index + 1, piece));
                }
                frames.appendBuffer(
                        EventFrameWriter.event("contentBlockStop", "{\"contentBlockIndex\":" + (index + 1) + "}"));
            }
            return ended(frames, "tool_use");
        }

        @Override
        public Buffer text(String text) {
            var frames = Buffer.buffer()
                    .appendBuffer(EventFrameWriter.event("messageStart", "{\"role\":\"assistant\"}"))
                    .appendBuffer(delta(0, Json.object().put("text", text)));
            return ended(frames, "end_turn");
        }

        private static Buffer delta(int index, ObjectNode delta) {
            var event = Json.object().put("contentBlockIndex", index);
            event.set("delta", delta);
            return EventFrameWriter.event("contentBlockDelta", Json.text(event));
        }

        private static Buffer ended(Buffer frames, String reason) {
            return frames.appendBuffer(EventFrameWriter.event("messageStop", "{\"stopReason\":\"" + reason + "\"}"))
                    .appendBuffer(EventFrameWriter.event(
                            "metadata", "{\"usage\":{\"inputTokens\":10,\"outputTokens\":5,\"totalTokens\":15}}"));
        }
    }
}
