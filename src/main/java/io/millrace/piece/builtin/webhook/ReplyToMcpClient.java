package io.millrace.piece.builtin.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.HttpAnswer;
import io.millrace.piece.StepContext;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** Sends the response to the waiting MCP client, and ends or continues the run. Pure, as {@link ReturnResponse}. */
final class ReplyToMcpClient implements Action {
    private static final int OK = 200;

    private static final ActionSpec SPEC = new ActionSpec(
            "reply_to_mcp_client",
            "Reply to MCP Client",
            "Returns a response to the MCP client that called the tool.",
            Props.of(
                    Props.named(
                            "mode",
                            Props.choice("Mode", true, "Simple", "simple", "Advanced", "advanced")
                                    .describedAs("Simple takes names and values, advanced takes any JSON.")
                                    .defaultingTo(TextNode.valueOf("simple"))),
                    Props.named(
                            "response",
                            Property.of(PropertyType.DYNAMIC, "Response", true)
                                    .refreshedBy(List.of("mode"), McpPiece::responseFor)),
                    CallerResponse.EXECUTION),
            false,
            true,
            true);

    @Override
    public ActionSpec spec() {
        return SPEC;
    }

    @Override
    public Future<JsonNode> run(StepContext context) {
        var response = context.props().path("response").path("response");
        var body = response.isMissingNode() ? NullNode.instance : response;
        CallerResponse.give(context, new HttpAnswer(OK, Map.of(), body));
        return Future.succeededFuture(body);
    }
}
