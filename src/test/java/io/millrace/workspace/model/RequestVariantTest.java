package io.millrace.workspace.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundResponse;
import io.millrace.base.net.WebAddress;
import io.millrace.piece.model.ModelMessage;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.ModelRequest.ToolUse;
import io.millrace.piece.model.ModelTool;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests after refusals: only the parameter that a server rejects is omitted. */
class RequestVariantTest {
    private static final ModelRequest PLAIN = ModelRequest.of("Be brief.", new ModelMessage.UserMessage("Read."), 10);
    private static final ModelRequest FORCED =
            PLAIN.forcing(new ModelTool("take", "Takes.", Json.object().put("type", "object")));

    private static OutboundResponse refusal(int status, String text) {
        return new OutboundResponse(
                status,
                MultiMap.caseInsensitiveMultiMap(),
                Buffer.buffer(text),
                WebAddress.parse("https://models.example.com"));
    }

    private static RequestVariant of(ModelRequest request) {
        return new RequestVariant(request, false, false);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "deepseek-reasoner does not support this tool_choice",
                "Thinking may not be enabled when tool_choice forces tool use.",
                "\"auto\" tool choice requires --enable-auto-tool-choice",
                "This model doesn't support the toolChoice.tool field"
            })
    void forcesNoTool_whereTheChoiceIsRefused(String text) {
        var next = of(FORCED).after(refusal(400, text)).orElseThrow();

        assertThat(next.request().use()).isInstanceOf(ToolUse.Free.class);
        assertThat(next.request().tools()).hasSize(1);
        assertThat(next.after(refusal(400, text))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "registry.ollama.ai/library/gemma does not support tools",
                "tools are not supported by this model",
                "Function calling is not supported for this model"
            })
    void asksInWords_whereThereAreNoTools(String text) {
        var next = of(FORCED).after(refusal(400, text)).orElseThrow();

        assertThat(next.request().tools()).isEmpty();
        assertThat(next.request().system()).startsWith("Be brief.").contains("{\"type\":\"object\"}");
    }

    @Test
    void sendsNoState_whereItsFieldsAreRefused() {
        var answer = new ModelMessage.AssistantMessage(
                "Hm.", List.of(), Json.object().put("reasoning_content", "Deep."));
        var text = "property 'reasoning_content' is unsupported";

        var next = of(PLAIN.saying(List.of(answer))).after(refusal(422, text)).orElseThrow();

        assertThat(next.request().messages())
                .containsExactly(new ModelMessage.AssistantMessage("Hm.", List.of(), null));
        assertThat(next.after(refusal(422, text))).isEmpty();
    }

    /** Servers with the format of Anthropic that send thoughts without the signature that they require. */
    @Test
    void sendsTextAndCallsOnly_whereThoughtsAreRefused() {
        var blocks = Json.array();
        blocks.addObject().put("type", "thinking").put("thinking", "Deep.");
        var answer = new ModelMessage.AssistantMessage("Hm.", List.of(), blocks);
        var text = "messages.1.content.0.thinking.signature: Field required";

        var next = of(PLAIN.saying(List.of(answer))).after(refusal(400, text)).orElseThrow();

        assertThat(next.request().messages())
                .containsExactly(new ModelMessage.AssistantMessage("Hm.", List.of(), null));
        assertThat(next.after(refusal(400, text))).isEmpty();
    }

    @Test
    void leavesOutTheStreamAndExtras_oneAfterTheOther() {
        var whole = new RequestVariant(PLAIN, true, true);

        var withoutExtras =
                whole.after(refusal(400, "Encrypted content is not supported")).orElseThrow();
        var withoutStream = withoutExtras
                .after(refusal(400, "unknown field stream_options"))
                .orElseThrow();

        assertThat(withoutExtras).isEqualTo(new RequestVariant(PLAIN, true, false));
        assertThat(withoutStream).isEqualTo(new RequestVariant(PLAIN, false, false));
    }

    @Test
    void changesNothing_afterAnyOtherRefusal() {
        assertThat(of(FORCED).after(refusal(400, "max_tokens is too large"))).isEmpty();
        assertThat(of(FORCED).after(refusal(500, "tool_choice"))).isEmpty();
        assertThat(of(PLAIN).after(refusal(400, "tool_choice"))).isEmpty();
    }
}
