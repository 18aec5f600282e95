package io.millrace.workspace.model.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.workspace.aiprovider.ProviderAccess;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.stream.Stream;

/**
 * Provider with the stream events of a response that contains text and two parallel calls of the tool {@code add}.
 *
 * @param format format of the assembled response
 * @param events events in the order of the stream
 * @param path request path of the stream
 */
public record StreamingVendor(String provider, String config, ModelFormat format, String events, String path) {
    private static final StreamedCompletions CHUNKS = new StreamedCompletions(true);

    private static final String OF_COMPLETIONS = """
            data: {'choices':[{'index':0,'delta':{'role':'assistant','content':''},'finish_reason':null}]}

            data: {'choices':[{'delta':{'content':'Let me '}}]}

            data: {'choices':[{'delta':{'content':'add.'}}]}

            data: {'choices':[{'delta':{'tool_calls':[{'index':0,'id':'c1','function':{'name':'add','arguments':''}}]}}]}

            data: {'choices':[{'delta':{'tool_calls':[{'index':1,'id':'c2','function':{'name':'add','arguments':'{}'}}]}}]}

            data: {'choices':[{'delta':{'tool_calls':[{'index':0,'function':{'arguments':'{\\"n\\":'}}]}}]}

            data: {'choices':[{'delta':{'tool_calls':[{'index':0,'function':{'arguments':'1}'}}]}}]}

            data: {'choices':[{'delta':{},'finish_reason':'tool_calls'}]}

            data: {'choices':[],'usage':{'prompt_tokens':10,'completion_tokens':5}}

            data: [DONE]
            """;

    private static final String OF_MISTRAL = """
            data: {'choices':[{'index':0,'delta':{'role':'assistant','content':[{'type':'thinking','thinking':[{'type':'text','text':'Sums.'}]}]},'finish_reason':null}]}

            data: {'choices':[{'delta':{'content':[{'type':'text','text':'Let me '}]}}]}

            data: {'choices':[{'delta':{'content':'add.'}}]}

            data: {'choices':[{'delta':{'tool_calls':[{'index':0,'id':'c1','function':{'name':'add','arguments':'{\\"n\\":1}'}},{'index':1,'id':'c2','function':{'name':'add','arguments':'{}'}}]},'finish_reason':'tool_calls'}],'usage':{'prompt_tokens':10,'completion_tokens':5}}
            """;

    private static final String OF_MESSAGES = """
            event: message_start
            data: {'type':'message_start','message':{'usage':{'input_tokens':10,'output_tokens':1}}}

            data: {'type':'content_block_start','index':0,'content_block':{'type':'text','text':''}}

            data: {'type':'ping'}

            data: {'type':'content_block_delta','index':0,'delta':{'type':'text_delta','text':'Let me '}}

            data: {'type':'content_block_delta','index':0,'delta':{'type':'text_delta','text':'add.'}}

            data: {'type':'content_block_start','index':1,'content_block':{'type':'tool_use','id':'c1','name':'add','input':{}}}

            data: {'type':'content_block_delta','index':1,'delta':{'type':'input_json_delta','partial_json':'{\\"n\\":'}}

            data: {'type':'content_block_delta','index':1,'delta':{'type':'input_json_delta','partial_json':'1}'}}

            data: {'type':'content_block_start','index':2,'content_block':{'type':'tool_use','id':'c2','name':'add','input':{}}}

            data: {'type':'message_delta','delta':{'stop_reason':'tool_use'},'usage':{'output_tokens':5}}

            data: {'type':'message_stop'}
            """;

    private static final String OF_RESPONSES = """
            data: {'type':'response.created','response':{'status':'in_progress','output':[]}}

            data: {'type':'response.output_text.delta','output_index':0,'delta':'Let me '}

            data: {'type':'response.output_text.delta','output_index':0,'delta':'add.'}

            data: {'type':'response.function_call_arguments.delta','output_index':1,'delta':'{\\"n\\":1}'}

            event: response.completed
            data: {'type':'response.completed','response':{'status':'completed','output':[{'type':'message','role':'assistant','content':[{'type':'output_text','text':'Let me add.','annotations':[]}]},{'type':'function_call','call_id':'c1','name':'add','arguments':'{\\"n\\":1}'},{'type':'function_call','call_id':'c2','name':'add','arguments':'{}'}],'usage':{'input_tokens':10,'output_tokens':5}}}
            """;

    private static final String OF_CONTENTS = """
            data: {'candidates':[{'content':{'role':'model','parts':[{'text':'Sums are easy.','thought':true}]}}],'usageMetadata':{'promptTokenCount':10}}

            data: {'candidates':[{'content':{'role':'model','parts':[{'text':'Let me '}]}}],'usageMetadata':{'promptTokenCount':10,'candidatesTokenCount':2}}

            data: {'candidates':[{'content':{'role':'model','parts':[{'text':'add.'}]}}]}

            data: {'candidates':[{'content':{'role':'model','parts':[{'functionCall':{'id':'c1','name':'add','args':{'n':1}},'thoughtSignature':'c2lnbmVk'}]}}]}

            data: {'candidates':[{'content':{'role':'model','parts':[{'functionCall':{'id':'c2','name':'add','args':{}}}]}}]}

            data: {'candidates':[{'content':{'role':'model','parts':[{'text':''}]},'finishReason':'STOP'}],'usageMetadata':{'promptTokenCount':10,'candidatesTokenCount':4,'thoughtsTokenCount':1}}
            """;

    private static final String OF_CONVERSE = """
            {'messageStart':{'role':'assistant'}}
            {'contentBlockDelta':{'contentBlockIndex':0,'delta':{'text':'Let me '},'p':'abcd'}}
            {'contentBlockDelta':{'contentBlockIndex':0,'delta':{'text':'add.'},'p':'ab'}}
            {'contentBlockStop':{'contentBlockIndex':0}}
            {'contentBlockStart':{'contentBlockIndex':1,'start':{'toolUse':{'toolUseId':'c1','name':'add'}}}}
            {'contentBlockDelta':{'contentBlockIndex':1,'delta':{'toolUse':{'input':'{\\"n\\":'}}}}
            {'contentBlockDelta':{'contentBlockIndex':1,'delta':{'toolUse':{'input':'1}'}}}}
            {'contentBlockStop':{'contentBlockIndex':1}}
            {'contentBlockStart':{'contentBlockIndex':2,'start':{'toolUse':{'toolUseId':'c2','name':'add'}}}}
            {'contentBlockStop':{'contentBlockIndex':2}}
            {'messageStop':{'stopReason':'tool_use'}}
            {'metadata':{'usage':{'inputTokens':10,'outputTokens':5,'totalTokens':15},'metrics':{'latencyMs':400}}}
            """;

    /** One for each format and request path. */
    public static Stream<StreamingVendor> all() {
        return Stream.of(
                completions("openai", "{}", "/v1/chat/completions"),
                completions(
                        "azure",
                        "{'resourceName':'mill'}",
                        "/openai/deployments/m-1/chat/completions?api-version=2024-10-21"),
                completions("openrouter", "{}", "/api/v1/chat/completions"),
                completions("deepseek", "{}", "/v1/chat/completions"),
                completions("custom", "{'baseUrl':'BASE/v1','apiKeyHeader':'x-key'}", "/v1/chat/completions"),
                new StreamingVendor(
                        "mistral",
                        "{}",
                        new ChatCompletions("max_tokens", false, new StreamedCompletions(false)),
                        OF_MISTRAL,
                        "/v1/chat/completions"),
                new StreamingVendor(
                        "custom",
                        "{'baseUrl':'BASE','apiKeyHeader':'x-key','apiStyle':'responses'}",
                        new Responses(),
                        OF_RESPONSES,
                        "/responses"),
                new StreamingVendor("anthropic", "{}", new AnthropicMessages(), OF_MESSAGES, "/v1/messages"),
                new StreamingVendor(
                        "google",
                        "{}",
                        new GoogleContents(),
                        OF_CONTENTS,
                        "/v1beta/models/m-1:streamGenerateContent?alt=sse"),
                new StreamingVendor(
                        "bedrock",
                        "{'region':'eu-north-1'}",
                        new BedrockConverse(),
                        OF_CONVERSE,
                        "/model/m-1/converse-stream"));
    }

    private static StreamingVendor completions(String provider, String config, String path) {
        return new StreamingVendor(
                provider, config, new ChatCompletions("max_tokens", false, CHUNKS), OF_COMPLETIONS, path);
    }

    public StreamedFormat stream() {
        return format.streamed().orElseThrow();
    }

    /** The complete stream. */
    public Buffer body() {
        return bodySaying("Let me ");
    }

    /** The stream with another beginning of the text. */
    public Buffer bodySaying(String words) {
        var text = events.replace('\'', '"').replace("Let me ", words);
        return stream().mediaType().equals(EventFrames.MEDIA_TYPE) ? framed(text) : Buffer.buffer(text);
    }

    private static Buffer framed(String lines) {
        var frames = Buffer.buffer();
        lines.lines().map(Json::trusted).forEach(line -> {
            var event = line.properties().iterator().next();
            frames.appendBuffer(EventFrameWriter.event(event.getKey(), Json.text(event.getValue())));
        });
        return frames;
    }

    public List<JsonNode> read() {
        return stream().events(body());
    }

    /** Event that reports a failure and ends the stream. */
    public JsonNode failure() {
        return Json.trusted(
                stream().mediaType().equals(EventFrames.MEDIA_TYPE)
                        ? "{\"exception\":{\"type\":\"serviceUnavailableException\",\"message\":\"Overloaded\"}}"
                        : "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}");
    }

    /** The same response in one piece. */
    public JsonNode whole() {
        return stream().whole(read());
    }

    /** @param base address of an unknown provider */
    public ProviderAccess access(String base) {
        return new ProviderAccess(
                "1",
                provider,
                provider,
                (ObjectNode) Json.trusted(config.replace('\'', '"').replace("BASE", base)),
                Json.object().put("apiKey", "k3y9").put("accessKeyId", "AKID").put("secretAccessKey", "s3cret"));
    }

    @Override
    public String toString() {
        return provider + " " + path;
    }
}
