package io.millrace.authoring.importer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.flow.FlowClient;
import io.millrace.authoring.importer.n8n.ImportSamples;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Imported flows executed on a server have the results that n8n documents for the same data. */
@Slow(Slow.Reason.DURATION)
class ImportEquivalenceIT {
    @AutoClose
    private static TestServer server = TestServer.start(Map.of("AP_WEBHOOK_TIMEOUT_SECONDS", "120"));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "01 | ?express=yes | {'name':'ada','price':2.5,'count':4} | {'customer':'ADA','total':10,'express':true}",
                "01 | '' | {'name':'bob','price':1,'count':1} | {'customer':'BOB','total':1,'express':false}",
                "02 | '' | {'amount':101} | {'size':'large','amount':101}",
                "02 | '' | {'amount':100} | {'size':'small','amount':100}",
                "03 | '' | {'people':[{'name':'Zoe','age':30},{'name':'Kid','age':9},{'name':'amy','age':18}]} | {'names':['amy','Zoe']}",
                "04 | '' | {'source':'s','rows':[{'value':1},{'value':2},{'value':4}]} | {'total':7,'first':1,'from':'s'}",
                "05 | '' | {'colour':'red'} | {'code':'R'}",
                "05 | '' | {'colour':'blue'} | {'code':'B'}",
                "05 | '' | {'colour':'green'} | {'code':'?'}",
                "06 | '' | {'numbers':[1,2,3]} | {'square':[1,4,9]}",
                "07 | '' | {'customers':[{'id':1,'name':'A'},{'id':2,'name':'B'}],'orders':[{'id':2,'sum':5},{'id':3,'sum':6}]} | {'rows':[{'id':2,'name':'B','sum':5}]}",
                "08 | '' | {'start':'2024-02-25'} | {'due':'06.03.2024','weekday':'Wednesday'}",
                "65 | '' | {'k':'a'} | {'w':2}",
                "65 | '' | {'k':'b'} | {'w':3}",
                "67 | '' | {'id':'x1','ok':true,'people':[{'name':'A','age':30},{'name':'B','age':3}]} | {'a':'x1','b':'x1','c':1,'d':'Names under which data is read Webhook','e':'','f':['A'],'g':'yes','h':3}"
            })
    void givesTheOutputOfN8n(String file, String query, String body, String expected) {
        // given
        var flow = imported(file);

        // when
        var answer = ada.api().post("/v1/webhooks/" + flow + "/sync" + query.replace("'", ""), json(body));

        // then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(json(expected));
    }

    private static String imported(String file) {
        var request = Json.object().put("projectId", ada.projectId());
        request.set("workflows", ImportSamples.named(file));
        Answer answer = FlowClient.expect(200, ada.api().post("/v1/flows/import/n8n", request));
        var flow = answer.body().path("flows").path(0);
        assertThat(flow.path("problems")).isEmpty();
        var id = flow.path("id").asText();
        var client = new FlowClient(ada.api(), id);
        FlowClient.expect(200, client.publish());
        return id;
    }

    private static JsonNode json(String text) {
        try {
            return Json.parse(text.replace('\'', '"'));
        } catch (IOException malformed) {
            throw new AssertionError(malformed);
        }
    }
}
