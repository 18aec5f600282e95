package io.millrace.authoring.importer;

import static io.millrace.support.FlowScript.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.FlowClient;
import io.millrace.base.core.Json;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options and versions of single n8n nodes: the imported node returns the documented items. */
@Slow(Slow.Reason.DURATION)
class ImportedNodesIT {
    private static final String INPUT = "{'one':[{'id':1,'n':'a','o':{'x':1}},{'id':2,'n':'b'},{'id':'3','n':'c'}],"
            + "'two':[{'id':1,'m':'A','o':{'y':2},'n':'z'},{'id':3,'m':'C'},{'id':4,'m':'D'},{'id':1,'m':'B'}]}";

    @AutoClose
    private static TestServer server = TestServer.start(Map.of("AP_WEBHOOK_TIMEOUT_SECONDS", "120"));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "3   | 'mode':'combine','fieldsToMatchString':'id' | [{'id':1,'n':'z','o':{'x':1,'y':2},'m':'A'},{'id':1,'n':'a','o':{'x':1},'m':'B'}]",
                "3   | 'mode':'combine','fieldsToMatchString':'id','options':{'fuzzyCompare':true,'multipleMatches':'first'} | [{'id':1,'n':'z','o':{'x':1,'y':2},'m':'A'},{'id':3,'n':'c','m':'C'}]",
                "3.1 | 'mode':'combine','fieldsToMatchString':'id','options':{'clashHandling':{'values':{'resolveClash':'preferInput1','mergeMode':'shallowMerge'}},'multipleMatches':'first'} | [{'id':1,'n':'a','o':{'x':1},'m':'A'}]",
                "3.2 | 'mode':'combine','fieldsToMatchString':'id','options':{'clashHandling':{'values':{'resolveClash':'addSuffix'}},'multipleMatches':'first'} | [{'id_1':1,'n_1':'a','o_1':{'x':1},'id_2':1,'m_2':'A','o_2':{'y':2},'n_2':'z'}]",
                "3   | 'mode':'combine','fieldsToMatchString':'id','outputDataFrom':'input2' | [{'id':1,'m':'A','o':{'y':2},'n':'z'},{'id':1,'m':'B'}]",
                "3   | 'mode':'combine','fieldsToMatchString':'id','joinMode':'keepNonMatches','outputDataFrom':'input1' | [{'id':2,'n':'b'},{'id':'3','n':'c'}]",
                "3   | 'mode':'combine','fieldsToMatchString':'id','joinMode':'keepNonMatches' | [{'id':2,'n':'b','_source':'input1'},{'id':'3','n':'c','_source':'input1'},{'id':3,'m':'C','_source':'input2'},{'id':4,'m':'D','_source':'input2'}]",
                "2.1 | 'mode':'combine','mergeByFields':{'values':[{'field1':'id','field2':'id'}]},'joinMode':'enrichInput1' | [{'id':1,'n':'z','o':{'x':1,'y':2},'m':'A'},{'id':1,'n':'a','o':{'x':1},'m':'B'},{'id':2,'n':'b'},{'id':'3','n':'c'}]",
                "2   | 'mode':'combine','mergeByFields':{'values':[{'field1':'id','field2':'id'}]},'joinMode':'enrichInput2' | [{'id':1,'m':'A','o':{'y':2,'x':1},'n':'a'},{'id':1,'m':'B','n':'a','o':{'x':1}},{'id':3,'m':'C'},{'id':4,'m':'D'}]",
                "2   | 'mode':'combine','combinationMode':'mergeByPosition','options':{'clashHandling':{'values':{'resolveClash':'preferInput1'}}} | [{'id':1,'n':'a','m':'A','o':{'x':1,'y':2}},{'id':2,'n':'b','m':'C'},{'id':'3','n':'c','m':'D'}]",
                "3   | 'mode':'combine','combineBy':'combineByPosition','options':{'includeUnpaired':true} | [{'id':1,'n':'z','m':'A','o':{'x':1,'y':2}},{'id':3,'n':'b','m':'C'},{'id':4,'n':'c','m':'D'},{'id':1,'m':'B'}]",
                "3   | 'mode':'chooseBranch','useDataOfInput':2 | [{'id':1,'m':'A','o':{'y':2},'n':'z'},{'id':3,'m':'C'},{'id':4,'m':'D'},{'id':1,'m':'B'}]",
                "2   | 'mode':'chooseBranch','output':'empty' | [{}]",
                "1   | 'mode':'mergeByIndex' | [{'id':1,'n':'z','o':{'y':2},'m':'A'},{'id':3,'n':'b','m':'C'},{'id':4,'n':'c','m':'D'}]",
                "1   | 'mode':'mergeByKey','propertyName1':'id','propertyName2':'id' | [{'id':1,'n':'a','o':{'x':1},'m':'B'},{'id':2,'n':'b'},{'id':'3','n':'c','m':'C'}]",
                "1   | 'mode':'removeKeyMatches','propertyName1':'id','propertyName2':'id' | [{'id':2,'n':'b'}]",
                "1   | 'mode':'keepKeyMatches','propertyName1':'id','propertyName2':'id' | [{'id':1,'n':'a','o':{'x':1}},{'id':'3','n':'c'}]",
                "1   | 'mode':'wait' | [{}]"
            })
    void mergesLists(String version, String parameters, String expected) {
        var merge = node("Merge", "merge", version, object("{" + parameters + "}"));
        var workflow = object("{'name':'Merge','nodes':[],'connections':{" + link("Webhook", "One", "Two") + ","
                + link("One", "Merge") + ",'Two':{'main':[[{'node':'Merge','type':'main','index':1}]]},"
                + link("Merge", "List") + "," + link("List", "Respond") + "}}");
        workflow.withArrayProperty("nodes")
                .add(node("One", "splitOut", "1", object("{'fieldToSplitOut':'body.one'}")))
                .add(node("Two", "splitOut", "1", object("{'fieldToSplitOut':'body.two'}")))
                .add(merge);

        assertThat(answer(workflow, INPUT)).isEqualTo(json("{'rows':" + expected + "}"));
    }

    private static final String ROWS =
            "{'rows':[{'k':1,'v':'Abc','b':false,'list':[1,'2']},{'k':2,'v':'abc','b':true,'list':[2,'a']},"
                    + "{'k':3,'v':'xyz','b':'true','list':['A']},{'k':4,'v':'','b':1,'list':[]},{'k':5,'v':null,'b':'no','list':[null]},{'k':6,'v':'0','b':0,'list':['2',2]}]}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "string | regex | v | /^ab/i | true | 1 2",
                "string | regex | v | ^ab | true | 2",
                "string | regex | v | ^ab | false | 1 2",
                "string | notRegex | v | =/^A{{ 'b' }}/ | true | 2 3 4 5 6",
                "string | contains | v | B | false | 1 2",
                "array | contains | list | 2 | true | 1 6",
                "array | contains | list | a | false | 2 3",
                "array | notContains | list | ={{ 2 }} | true | 1 3 4 5",
                "boolean | true | b | - | true | 2 3 4 5",
                "boolean | false | b | - | true | 1 6",
                "boolean | equals | b | ={{ true }} | true | 2 3 4 5",
                "boolean | notEquals | b | true | true | 1 6",
                "string | exists | v | - | true | 1 2 3 4 6"
            })
    void filtersItems(String type, String operation, String field, String right, boolean isCaseSensitive, String keys) {
        var conditions = Json.object();
        conditions.putObject("options").put("caseSensitive", isCaseSensitive).put("typeValidation", "loose");
        var condition = conditions.putArray("conditions").addObject().put("leftValue", "={{ $json." + field + " }}");
        condition.put("rightValue", right.equals("-") ? "" : right);
        condition.putObject("operator").put("type", type).put("operation", operation);
        conditions.put("combinator", "and");
        var parameters = Json.object();
        parameters.set("conditions", conditions);

        assertThat(filtered("2.2", parameters)).isEqualTo(keys);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'boolean':[{'value1':'={{ $json.b }}'}] | 1",
                "'boolean':[{'value1':'={{ $json.b }}','value2':true}] | 2",
                "'boolean':[{'value1':'={{ $json.b }}','value2':true,'operation':'notEqual'}] | 1 3 4 5 6",
                "'number':[{'value1':'={{ $json.k }}','operation':'largerEqual','value2':5}] | 5 6",
                "'string':[{'value1':'={{ $json.v }}','operation':'regex','value2':'/B/i'}] | 1 2"
            })
    void filtersItems_byConditionsOfVersion1(String conditions, String keys) {
        assertThat(filtered("1", object("{'conditions':{" + conditions + "}}"))).isEqualTo(keys);
    }

    private static String filtered(String version, ObjectNode parameters) {
        var workflow = object("{'name':'Filter','nodes':[],'connections':{" + link("Webhook", "Rows") + ","
                + link("Rows", "Filter") + "," + link("Filter", "List") + "," + link("List", "Respond") + "}}");
        workflow.withArrayProperty("nodes")
                .add(node("Rows", "splitOut", "1", object("{'fieldToSplitOut':'body.rows'}")))
                .add(node("Filter", "filter", version, parameters));
        return String.join(" ", answer(workflow, ROWS).findValuesAsText("k"));
    }

    private static ObjectNode object(String singleQuoted) {
        return (ObjectNode) json(singleQuoted);
    }

    private static String link(String from, String... targets) {
        var list = Json.array();
        for (var target : targets) {
            list.addObject().put("node", target).put("type", "main").put("index", 0);
        }
        return "'" + from + "':{'main':[" + Json.text(list).replace('"', '\'') + "]}";
    }

    private static ObjectNode node(String name, String type, String version, ObjectNode parameters) {
        var node = Json.object()
                .put("name", name)
                .put("type", "n8n-nodes-base." + type)
                .put("typeVersion", Double.parseDouble(version));
        node.set("parameters", parameters);
        return node;
    }

    /** Response of the workflow behind a webhook; all items of the node before List are its rows. */
    private static JsonNode answer(ObjectNode workflow, String body) {
        workflow.withArrayProperty("nodes")
                .add(node(
                        "Webhook",
                        "webhook",
                        "2",
                        object("{'httpMethod':'POST','path':'x','responseMode':'responseNode'}")))
                .add(node(
                        "List",
                        "aggregate",
                        "1",
                        object("{'aggregate':'aggregateAllItemData','destinationFieldName':'rows'}")))
                .add(node(
                        "Respond",
                        "respondToWebhook",
                        "1.1",
                        object("{'respondWith':'json','responseBody':'={{ $json }}'}")));
        var request = Json.object().put("projectId", ada.projectId());
        request.set("workflows", workflow);
        var imported = FlowClient.expect(200, ada.api().post("/v1/flows/import/n8n", request));
        var id = imported.text("/flows/0/id");
        FlowClient.expect(200, new FlowClient(ada.api(), id).publish());
        var answer = ada.api().post("/v1/webhooks/" + id + "/sync", json(body));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body();
    }
}
