package io.millrace.workspace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.hostile.HostileKind;
import io.millrace.piece.model.AnswerListener;
import io.millrace.piece.model.ModelChoice;
import io.millrace.piece.model.ModelFailure;
import io.millrace.piece.model.ModelMessage;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.ModelResponse;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import io.millrace.support.outside.HostileOutside;
import io.millrace.workspace.aiprovider.FindProvider;
import io.millrace.workspace.aiprovider.ProviderAccess;
import io.millrace.workspace.model.format.StreamingVendor;
import io.millrace.workspace.project.Projects;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Malicious model providers: exhaustion of memory, event loop time or budget, and SSRF. */
@Slow(Slow.Reason.HOSTILE)
@HostileKind("model provider")
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HostileModelTest {
    private static final String VENDORS = "io.millrace.workspace.model.format.StreamingVendor#all";

    /** The number that fits into ten megabytes. */
    private static final int PIECES = 150_000;

    private static final ModelRequest QUESTION = ModelRequest.of("", new ModelMessage.UserMessage("1 + 0?"), 10);

    @AutoClose
    private final HostileOutside outside = HostileOutside.open();

    private final Bus bus = new Bus(outside.vertx());
    private final AtomicReference<ProviderAccess> access = new AtomicReference<>();
    private final ProviderModels models = new ProviderModels(
            bus,
            outside.http(),
            Optional.empty(),
            InstantSource.system(),
            _ -> outside.peer().url());

    @BeforeEach
    void serve() {
        bus.serve(Projects.Find.class, ask -> Future.succeededFuture(TestProject.of(ask.projectId())));
        bus.serve(FindProvider.class, _ -> Future.succeededFuture(access.get()));
    }

    private ModelFailure failure(StreamingVendor vendor) {
        access.set(vendor.access(outside.peer().url()));
        var choice = new ModelChoice(vendor.provider(), "1", "m-1", 1_000);
        var failure = catchThrowableOfType(
                ModelFailure.class,
                () -> Waiting.await(models.askAloud("p", choice, QUESTION, 30_000, AnswerListener.of(_ -> {}))));
        assertThat(failure).isNotNull();
        assertThat(failure.getMessage())
                .doesNotContain("k3y9", "s3cret")
                .doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]")
                .hasSizeLessThan(700);
        return failure;
    }

    /** Concatenating each fragment would take minutes for as many fragments as a response may contain. */
    @ParameterizedTest
    @MethodSource(VENDORS)
    void addsUpSmallPieces_inTimeThatGrowsWithTheirNumber(StreamingVendor vendor) {
        var events = new ArrayList<JsonNode>();
        for (var event : vendor.read()) {
            var repeats = vendor.stream().text(event).isEmpty() ? 1 : PIECES;
            for (var piece = 0; piece < repeats; piece++) {
                events.add(event);
            }
        }

        var answer = vendor.format().read(vendor.stream().whole(events));

        assertThat(answer.text()).endsWith("add.");
        assertThat(answer.calls()).hasSize(2);
    }

    @ParameterizedTest
    @MethodSource(VENDORS)
    void readsNoAnswerWithoutEnd(StreamingVendor vendor) {
        for (var status : new int[] {200, 400, 500}) {
            outside.peer().sayWithoutEnd(status);
            failure(vendor);
            Waiting.until("the connection is given up", outside.peer().isGivenUp::get);
        }
    }

    @ParameterizedTest
    @MethodSource(VENDORS)
    void isLedNowhereElse_andTakesNoKeyThere(StreamingVendor vendor) {
        for (var location : outside.peer().forbidden()) {
            for (var status : new int[] {301, 303, 307, 308}) {
                outside.peer().redirect(status, location);
                failure(vendor);
            }
        }
    }

    @ParameterizedTest
    @MethodSource(VENDORS)
    void repeatsARefusalOnOneLine_withoutTheKey(StreamingVendor vendor) {
        outside.peer()
                .say(
                        400,
                        "application/json",
                        "{'error':{'message':'k3y9 s3cret\\r\\n2026 ERROR forged \\u001b[31m \\u009b31m \\u0085 \\u202e \\u2028"
                                + "y".repeat(900_000) + "'}}");
        assertThat(failure(vendor).getMessage()).contains("forged");
    }

    /** Bodies without a format, and bodies of each format with one part of another type. */
    static Stream<String> bodies() {
        return Stream.of(
                "null",
                "7",
                "'text'",
                "[]",
                "[[]]",
                "{}",
                "{'choices':{}}",
                "{'choices':[]}",
                "{'choices':[null]}",
                "{'choices':[[]]}",
                "{'choices':[{'message':[]}]}",
                "{'choices':[{'message':{'content':{'a':1}}}]}",
                "{'choices':[{'message':{'content':[null,7,[],{'text':{}}]}}]}",
                "{'choices':[{'message':{'tool_calls':{}}}]}",
                "{'choices':[{'message':{'tool_calls':[null,7,[],{}]}}]}",
                "{'choices':[{'message':{'tool_calls':[{'function':[]}]}}]}",
                "{'choices':[{'message':{'tool_calls':[{'id':{},'function':{'name':[],'arguments':{}}}]}}]}",
                "{'choices':[{'message':{'tool_calls':[{'function':{'name':'\\u0000\\r\\n','arguments':'[[[['}}]}}]}",
                "{'choices':[{'message':{'annotations':[null,{'url_citation':7}]}}]}",
                "{'choices':[{'message':{},'finish_reason':{}}],'usage':[]}",
                "{'choices':[{'delta':[]}]}",
                "{'choices':[{'delta':{'tool_calls':[{'index':-2147483648},{'index':1e300},{'index':'x'}]}}]}",
                "{'error':7}",
                "{'error':{'message':[]}}",
                "{'content':[null]}",
                "{'content':{}}",
                "{'content':[{'type':'tool_use','input':[]}]}",
                "{'content':[{'type':'tool_use','id':7,'name':{},'input':'x'}],'stop_reason':[]}",
                "{'type':'content_block_delta','index':-1,'delta':{'type':'text_delta','text':{}}}",
                "{'type':'content_block_start','index':1e300,'content_block':7}",
                "{'type':'message_start','message':[]}",
                "{'type':'message_stop'}",
                "{'type':'response.completed','response':7}",
                "{'type':'response.completed'}",
                "{'output':7}",
                "{'output':[null]}",
                "{'output':[{'type':'function_call','arguments':'[[['}]}",
                "{'output':[{'type':'message','content':[null,7]}]}",
                "{'output':{'message':{'content':[{'toolUse':null},{'text':7},null]}}}",
                "{'output':{'message':{'content':{}}},'stopReason':{}}",
                "{'contentBlockDelta':{'contentBlockIndex':-1,'delta':{'toolUse':7}}}",
                "{'contentBlockStart':{'start':{'toolUse':[]}}}",
                "{'contentBlockDelta':{'delta':{'reasoningContent':{'redactedContent':{},'text':'x'}}}}",
                "{'messageStop':7,'metadata':7}",
                "{'candidates':{}}",
                "{'candidates':[null]}",
                "{'candidates':[{'content':{'parts':[null,7,{'functionCall':7},{'text':{}}]}}]}",
                "{'candidates':[{'content':{'parts':[{'functionCall':{'name':[],'args':'x'}}]},'finishReason':[]}]}",
                "{'promptFeedback':{'blockReason':'\\u0000'}}");
    }

    /** An invalid body is refused with a message, or read as far as it is valid: it is no defect of the server. */
    @ParameterizedTest
    @MethodSource("bodies")
    void readsOrRefuses_anyAnswer(String text) {
        var body = Json.trusted(text.replace('\'', '"'));
        StreamingVendor.all().forEach(vendor -> {
            readOrRefuse(vendor, body);
            for (var before = 0; before < 3; before++) {
                var events = new ArrayList<>(vendor.read());
                events.add(before, body);
                readStreamOrRefuse(vendor, events);
            }
            readStreamOrRefuse(vendor, List.of(body));
        });
    }

    private static void readStreamOrRefuse(StreamingVendor vendor, List<JsonNode> events) {
        events.forEach(event -> assertThat(vendor.stream().text(event)).isNotNull());
        JsonNode whole;
        try {
            whole = vendor.stream().whole(events);
        } catch (IllegalArgumentException refused) {
            assertThat(refused.getMessage()).isNotNull();
            return;
        }
        readOrRefuse(vendor, whole);
    }

    private static void readOrRefuse(StreamingVendor vendor, JsonNode body) {
        ModelResponse response;
        try {
            response = vendor.format().read(body);
        } catch (IllegalArgumentException refused) {
            assertThat(refused.getMessage()).isNotBlank();
            return;
        }
        assertThat(response.consumption().inputTokens()).isBetween(0L, ModelResponse.TOKENS_MAX);
        assertThat(response.consumption().outputTokens()).isBetween(0L, ModelResponse.TOKENS_MAX);
    }

    /** Cost fields of the formats, and values that are no valid cost. */
    static Stream<Arguments> costs() {
        var numbers = List.of(
                "-1",
                "-9223372036854775808",
                "9223372036854775807",
                "99999999999999999999999999",
                "1e300",
                "-1e300",
                "1.5",
                "'12'",
                "'-12'",
                "null",
                "[]",
                "true");
        return StreamingVendor.all()
                .flatMap(vendor -> numbers.stream().map(number -> Arguments.of(vendor, number.replace('\'', '"'))));
    }

    /** A negative cost would increase the budget of a run, and a sum beyond the number range would be negative. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("costs")
    void takesNoCostBelowZero_andNoneBeyondNumbers(StreamingVendor vendor, String number) {
        var whole = (ObjectNode) vendor.whole().deepCopy();
        var cost = Json.trusted(number);
        for (var name : List.of("usage", "usageMetadata")) {
            if (whole.path(name) instanceof ObjectNode usage) {
                usage.properties().forEach(field -> field.setValue(cost));
            }
        }

        var answer = vendor.format().read(whole);

        assertThat(answer.consumption().inputTokens()).isBetween(0L, ModelResponse.TOKENS_MAX);
        assertThat(answer.consumption().outputTokens()).isBetween(0L, ModelResponse.TOKENS_MAX);
        assertThat(answer.consumption().inputTokens() + answer.consumption().outputTokens())
                .isNotNegative();
    }

    @ParameterizedTest
    @MethodSource(VENDORS)
    void takesAsManyToolCallsAsOneAnswerMayHave(StreamingVendor vendor) {
        var body = (ObjectNode) vendor.whole().deepCopy();
        var calls = vendor.format().read(body).calls();
        var many = new ArrayList<>(java.util.Collections.nCopies(ModelResponse.CALLS_MAX, calls.getFirst()));

        assertThat(answer(many).calls()).hasSize(ModelResponse.CALLS_MAX);
        many.add(calls.getFirst());
        assertThatThrownBy(() -> answer(many))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 500 tool calls");
    }

    private static ModelResponse answer(List<io.millrace.piece.model.ToolRequest> calls) {
        return new ModelResponse("", calls, ModelResponse.Ending.WHOLE, 1, 1, List.of(), Json.object());
    }
}
