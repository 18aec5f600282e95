package io.millrace.integration.mcp.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.model.StrictClients;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Search among many tools, and the tool that replaces their list. */
final class ToolSearchTest {
    private static final List<ToolSpec> SHOP = List.of(
            spec("send_invoice_a1b2", "Send invoice", "Mails an invoice to a customer."),
            spec("create_customer_c3d4", "Create customer", "Adds a person to the CRM; may send a welcome mail."),
            spec("ap_list_flows", "List flows", "Lists the flows of the project."),
            spec("ap_delete_flow", "Delete a flow", "Deletes a flow with its runs."),
            spec("rechnung_e5f6", "Rechnung verschicken", "Verschickt eine Rechnung für Müller."),
            spec("weather_g7h8", "天気", "東京の天気を調べる"));

    private static ToolSpec spec(String name, String title, String description) {
        return new ToolSpec(name, title, description, ToolInput.none(), null, ToolSpec.Effect.UNKNOWN);
    }

    private static List<ToolSpec> many(int count) {
        return IntStream.range(0, count)
                .mapToObj(at -> spec("flow_" + at, "Flow " + at, "Does work " + at))
                .toList();
    }

    private static JsonNode search(List<ToolSpec> offered, String query) {
        return Json.trusted(
                ToolSearch.search(offered, Json.object().put("query", query)).text());
    }

    private static Stream<String> names(JsonNode found) {
        return found.path("tools").valueStream().map(tool -> tool.path("name").asText());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        0     | 100 | false
        99    | 100 | false
        100   | 100 | false
        101   | 100 | true
        5000  | 100 | true
        3     | 3   | false
        4     | 3   | true
        """)
    void listsEveryTool_asManyAsTheListMayHave_andTheSearchBeyond(int count, int max, boolean searches) {
        var offered = many(count);

        var listed = ToolSearch.listed(offered, List.of(), max);

        if (searches) {
            assertThat(listed).extracting(ToolSpec::name).containsExactly("ap_search_tools", "ap_call_tool");
            assertThat(listed.getFirst().description()).contains("This server has " + count + " tools");
        } else {
            assertThat(listed).isEqualTo(offered);
        }
    }

    @Test
    void listsPinnedToolsInTheirOrder_asManyAsTheListMayHave() {
        var pinned = List.of("flow_7", "gone", "flow_3", "flow_7", "flow_9");

        assertThat(ToolSearch.listed(many(20), pinned, 10))
                .extracting(ToolSpec::name)
                .containsExactly("ap_search_tools", "ap_call_tool", "flow_7", "flow_3", "flow_9");
        assertThat(ToolSearch.listed(many(20), pinned, 4))
                .extracting(ToolSpec::name)
                .containsExactly("ap_search_tools", "ap_call_tool", "flow_7", "flow_3");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        invoice                       | send_invoice_a1b2
        INVOICES!                     | send_invoice_a1b2
        please send the invoice       | send_invoice_a1b2
        send_invoice                  | send_invoice_a1b2
        customer                      | create_customer_c3d4
        welcome                       | create_customer_c3d4
        delete flow                   | ap_delete_flow
        list flows                    | ap_list_flows
        voice                         | send_invoice_a1b2
        müller                        | rechnung_e5f6
        天気                           | weather_g7h8
        東京の天気を調べる                | weather_g7h8
        """)
    void findsTheBestToolFirst(String query, String name) {
        assertThat(names(search(SHOP, query))).first().isEqualTo(name);
    }

    @Test
    void toolsWithMoreOfTheWordsComeFirst_equalOnesInTheOrderOfTheList() {
        assertThat(names(search(many(30), "work")))
                .startsWith("flow_0", "flow_1")
                .hasSize(10);
        var mail = search(SHOP, "mail customer");
        assertThat(names(mail).toList()).containsExactly("create_customer_c3d4", "send_invoice_a1b2");
    }

    @Test
    void resultsHaveSchemas_andTheNumberOfMatches() {
        var input = ToolInput.none().text("who", "Receiver.").requiring("who");
        var one = new ToolSpec("greet", "Greet", "Greets.", input, null, ToolSpec.Effect.UNKNOWN);

        var found = search(List.of(one), "greet");

        assertThat(found.at("/tools/0")).isEqualTo(one.toJson());
        assertThat(found.path("matchCount").asInt()).isEqualTo(1);
        assertThat(found.has("hint")).isFalse();
    }

    @Test
    void reportsIt_whenNothingMatchesOrMoreMatch() {
        assertThat(search(SHOP, "zebra").path("hint").asText()).startsWith("No tool has any of these words");
        assertThat(search(many(30), "flow").path("hint").asText()).startsWith("20 more matches");
        assertThat(search(many(30), "flow").path("matchCount").asInt()).isEqualTo(30);
    }

    @ParameterizedTest
    @CsvSource({"-5,1", "0,1", "1,1", "50,50", "51,50", "9000000000,50"})
    void aLimitIsHeldWithinItsBounds(long limit, int size) {
        var arguments = Json.object().put("query", "flow").put("limit", limit);

        assertThat(names(Json.trusted(ToolSearch.search(many(60), arguments).text())))
                .hasSize(size);
    }

    @Test
    void aResultIsBoundedInSize_butHasTheBestTool() {
        var large = IntStream.range(0, 20)
                .mapToObj(at -> spec("large_" + at, "Large", "word ".repeat(10_000)))
                .toList();

        var found = ToolSearch.search(large, Json.object().put("query", "large").put("limit", 20));

        assertThat(found.text().length()).isLessThan(128 * 1024);
        assertThat(names(Json.trusted(found.text()))).containsExactly("large_0");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        {}                               | query is missing
        {"query":""}                     | expected at least one word
        {"query":" .,! "}                | expected at least one word
        {"query":7}                      | query: expected string
        {"query":"a","limit":"many"}     | limit: expected integer
        {"query":"a","more":1}           | more is not an argument
        """)
    void refusesAnInvalidSearch(String arguments, String objection) {
        var result = ToolSearch.search(SHOP, (ObjectNode) Json.trusted(arguments));

        assertThat(result.isError()).isTrue();
        assertThat(result.text()).contains(objection);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        {}                                       | name is missing
        {"name":7}                               | name: expected string
        {"name":"a","arguments":"{}"}            | arguments: expected object
        {"name":"a","arguments":[]}              | arguments: expected object
        {"name":"ap_call_tool"}                  | expected a tool that ap_search_tools has found
        {"name":"ap_search_tools"}               | expected a tool that ap_search_tools has found
        {"name":"a","who":"Ada"}                 | who is not an argument
        """)
    void neverCallsAToolWithArgumentsThatCannotBeRead(String arguments, String objection) {
        var objections = new ArrayList<String>();

        assertThat(ToolSearch.readCall((ObjectNode) Json.trusted(arguments), objections))
                .isEmpty();
        assertThat(String.join("; ", objections)).contains(objection);
    }

    @Test
    void bothToolsPassTheStrictestClients() {
        for (var spec : ToolSearch.listed(many(101), List.of(), 100)) {
            assertThat(StrictClients.objections(spec.name(), spec.toJson().path("inputSchema")))
                    .isEmpty();
        }
    }

    @Test
    void aQueryOfManyWordsIsSearchedByItsFirstOnes() {
        var query = "nothing ".repeat(5)
                + String.join(
                        " ", IntStream.range(0, 40).mapToObj(at -> "w" + at).toList()) + " invoice";

        assertThat(names(search(SHOP, query))).isEmpty();
    }
}
