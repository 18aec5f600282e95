package io.millrace.authoring.importer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.flow.FlowClient;
import io.millrace.authoring.importer.n8n.ExpressionTable;
import io.millrace.authoring.importer.n8n.ExpressionTable.Row;
import io.millrace.base.core.Json;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each expression of the table has its value in code that a server executes. */
@Slow(Slow.Reason.DURATION)
class ImportedExpressionsIT {
    private static final int PARTS = 4;

    @AutoClose
    private static TestServer server = TestServer.start(Map.of("AP_WEBHOOK_TIMEOUT_SECONDS", "120"));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void givesTheValueInCode(int part) throws Exception {
        // given
        var all = ExpressionTable.rows().stream()
                .filter(row -> !row.value().isMissingNode() && !row.expression().contains("$execution"))
                .toList();
        var rows = all.subList(all.size() * part / PARTS, all.size() * (part + 1) / PARTS);
        var request = Json.object().put("projectId", ada.projectId());
        request.set("workflows", ExpressionTable.setting(rows));
        var flow = FlowClient.expect(200, ada.api().post("/v1/flows/import/n8n", request))
                .text("/flows/0/id");
        FlowClient.expect(200, new FlowClient(ada.api(), flow).publish());

        // when
        var answer = ada.api().post("/v1/webhooks/" + flow + "/sync?page=2", Json.parse(ExpressionTable.BODY));

        // then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(differences(rows, answer.body())).isEmpty();
    }

    private static List<String> differences(List<Row> rows, JsonNode fields) {
        var differences = new ArrayList<String>();
        for (var index = 0; index < rows.size(); index++) {
            var value = Json.text(fields.path("f" + index));
            if (!value.equals(Json.text(rows.get(index).value()))) {
                differences.add(rows.get(index).expression() + ": expected "
                        + Json.text(rows.get(index).value()) + ", found " + value);
            }
        }
        return differences;
    }
}
