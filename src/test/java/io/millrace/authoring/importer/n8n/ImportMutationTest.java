package io.millrace.authoring.importer.n8n;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.flow.editor.FlowOperation;
import io.millrace.base.core.Json;
import io.millrace.support.Slow;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any JSON is translated without a failure, and the server accepts each resulting flow. */
@Slow(Slow.Reason.DURATION)
class ImportMutationTest {
    private static final int MUTATIONS = 2_000;
    private static final int CHANGES_MAX = 6;
    private static final List<String> TEXTS = List.of(
            "",
            "=",
            "={{",
            "={{ }}",
            "={{ $json",
            "={{ $json.a }}",
            "={{ $('Webhook').all() }}",
            "={{ $(' }}",
            "={{ `${ {{ }} }` }}",
            "={{ ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1 }}",
            "={{ $json.a.toTitleCase().isEmpty() }} and {{ $now }}",
            "={{ " + "`${".repeat(9_000) + "1" + "}`".repeat(9_000) + " }}",
            "={{ [].map(x => { return x }) }}",
            "={{ /a[/]b/.test(\"}\") }}",
            "={{ $node.x.json['a']?.['b']?.() }}",
            "={{ {a:{b:1} } }}",
            "\u0000",
            "{{ $json }}",
            "ap-formula-v1::{",
            "n8n-nodes-base.splitInBatches",
            "n8n-nodes-base.if",
            "@n8n/n8n-nodes-langchain.agent",
            "Webhook",
            "__proto__");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "1",
                "[]",
                "{}",
                "\"x\"",
                "[[[]]]",
                "{\"nodes\":1}",
                "{\"nodes\":[1,null,[],{}]}",
                "{\"nodes\":{\"a\":{}}}",
                "{\"nodes\":[{\"name\":\"a\",\"type\":null,\"position\":\"x\",\"parameters\":[]}],\"connections\":[1]}",
                "{\"nodes\":[{\"name\":\"a\"},{\"name\":\"a\"}],\"connections\":{\"a\":{\"main\":[[{\"node\":\"a\"}]]}}}",
                "{\"name\":{},\"nodes\":[],\"settings\":[],\"tags\":3,\"pinData\":[]}"
            })
    void translatesAnyJson(String text) throws Exception {
        assertTranslates(Json.parse(text), text);
    }

    @Test
    void translatesMutationsOfTheCollection() {
        var random = new Random(49);
        var originals = ImportSamples.files().stream().map(ImportSamples::read).toList();
        for (var number = 0; number < MUTATIONS; number++) {
            var mutant = mutant(originals, random);
            assertTranslates(mutant, "mutation " + number + ": " + mutant);
        }
    }

    /** One of the workflows with random changes. */
    static JsonNode mutant(List<JsonNode> originals, Random random) {
        var mutant = originals.get(random.nextInt(originals.size())).deepCopy();
        for (var change = random.nextInt(CHANGES_MAX); change >= 0; change--) {
            mutate(mutant, originals.get(random.nextInt(originals.size())), random);
        }
        return mutant;
    }

    @Test
    void translatesDeepAndLongWorkflows() {
        assertTranslates(chain("n8n-nodes-base.if", 1_500), "a chain of conditions");
        assertTranslates(chain("n8n-nodes-base.splitInBatches", 300), "a chain of loops");
        assertTranslates(chain("n8n-nodes-base.splitOut", 1_500), "a chain of lists");
        assertTranslates(chain("n8n-nodes-base.httpRequest", 1_500), "a chain of requests");
        assertTranslates(dense(60), "a graph with all connections");
    }

    private static ObjectNode chain(String type, int length) {
        var workflow = Json.object().put("name", "Chain");
        var nodes = workflow.putArray("nodes");
        var connections = workflow.putObject("connections");
        for (var index = 0; index < length; index++) {
            nodes.addObject().put("name", "N" + index).put("type", type).put("typeVersion", 3);
            connections
                    .putObject("N" + index)
                    .putArray("main")
                    .addArray()
                    .addObject()
                    .put("node", "N" + (index + 1))
                    .put("type", "main")
                    .put("index", 0);
        }
        return workflow;
    }

    private static ObjectNode dense(int size) {
        var workflow = Json.object().put("name", "Dense");
        var nodes = workflow.putArray("nodes");
        var connections = workflow.putObject("connections");
        for (var from = 0; from < size; from++) {
            nodes.addObject()
                    .put("name", "N" + from)
                    .put("type", "n8n-nodes-base.set")
                    .put("typeVersion", 3.4);
            var targets = connections.putObject("N" + from).putArray("main").addArray();
            for (var to = 0; to < size; to++) {
                targets.addObject().put("node", "N" + to).put("type", "main").put("index", 0);
            }
        }
        return workflow;
    }

    private static void assertTranslates(JsonNode workflow, String description) {
        assertThatCode(() -> {
                    for (var flow : ImportSamples.translate(workflow).flows()) {
                        var operation = Json.object().put("type", "IMPORT_FLOW");
                        operation.set("request", flow.template());
                        var parsed = (FlowOperation.ImportFlow) FlowOperation.parse(operation);
                        assertThat(parsed.steps().isValid()).isTrue();
                        assertThat(flow.report().path("entries")).isNotEmpty();
                    }
                })
                .as(description)
                .doesNotThrowAnyException();
    }

    private static void mutate(JsonNode mutant, JsonNode donor, Random random) {
        var containers = new ArrayList<JsonNode>();
        collect(mutant, containers);
        var chosen = containers.get(random.nextInt(containers.size()));
        var others = new ArrayList<JsonNode>();
        collect(donor, others);
        var value = random.nextInt(3) == 0
                ? others.get(random.nextInt(others.size())).deepCopy()
                : scalar(random);
        if (chosen instanceof ObjectNode object && !object.isEmpty()) {
            var names = new ArrayList<String>();
            object.fieldNames().forEachRemaining(names::add);
            var name = names.get(random.nextInt(names.size()));
            switch (random.nextInt(4)) {
                case 0 -> object.remove(name);
                case 1 -> object.set(TEXTS.get(random.nextInt(TEXTS.size())), value);
                default -> object.set(name, value);
            }
        } else if (chosen instanceof ArrayNode array) {
            switch (random.nextInt(3)) {
                case 0 -> array.add(value);
                case 1 -> array.removeAll();
                default -> {
                    if (!array.isEmpty()) {
                        array.set(random.nextInt(array.size()), value);
                    }
                }
            }
        }
    }

    private static JsonNode scalar(Random random) {
        return switch (random.nextInt(9)) {
            case 6 -> Json.mapper().<JsonNode>valueToTree(new BigDecimal("-1.5e307"));
            case 7 -> Json.mapper().<JsonNode>valueToTree(new BigInteger("9".repeat(200)));
            case 8 -> nested(random.nextInt(200));
            case 0 -> NullNode.getInstance();
            case 1 -> IntNode.valueOf(random.nextInt() >> random.nextInt(31));
            case 2 -> BooleanNode.valueOf(random.nextBoolean());
            default -> TextNode.valueOf(TEXTS.get(random.nextInt(TEXTS.size())));
        };
    }

    private static JsonNode nested(int depth) {
        JsonNode value = TextNode.valueOf("={{ $json.a }}");
        for (var level = 0; level < depth; level++) {
            value = level % 2 == 0 ? Json.array().add(value) : Json.object().set("values", value);
        }
        return value;
    }

    private static void collect(JsonNode node, List<JsonNode> containers) {
        if (node.isContainerNode()) {
            containers.add(node);
            node.forEach(inner -> collect(inner, containers));
        }
    }
}
