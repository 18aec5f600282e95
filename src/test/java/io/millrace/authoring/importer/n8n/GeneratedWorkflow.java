package io.millrace.authoring.importer.n8n;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random workflow in the form of users' exports: chains with branches, joins, loops, AI nodes with parts, islands, and
 * the defects of real exports.
 */
public final class GeneratedWorkflow {
    private static final List<GeneratedNodes.Row> TRIGGERS =
            GeneratedNodes.all().stream().filter(GeneratedNodes.Row::isTrigger).toList();
    private static final List<GeneratedNodes.Row> PARTS =
            GeneratedNodes.all().stream().filter(GeneratedNodes.Row::isPart).toList();
    private static final List<GeneratedNodes.Row> INNER = GeneratedNodes.all().stream()
            .filter(row -> !row.isTrigger() && !row.isPart())
            .toList();

    /** Suffixes of names chosen by users. */
    private static final List<String> NAMES = List.of(
            "",
            "",
            "",
            "",
            "1",
            " \"quoted\"",
            " 🚀",
            "'s",
            " [a]",
            " {{x}}",
            " \\ back",
            " ü",
            " $json",
            "\n2",
            " `t`");

    private final Random random;
    private final ObjectNode workflow = Json.object();
    private final ArrayNode nodes = workflow.putArray("nodes");
    private final ObjectNode connections = workflow.putObject("connections");
    private final List<String> names = new ArrayList<>();

    private GeneratedWorkflow(Random random) {
        this.random = random;
    }

    /** The workflow generated from a seed. */
    public static ObjectNode of(long seed) {
        return new GeneratedWorkflow(new Random(seed)).generated(seed);
    }

    private ObjectNode generated(long seed) {
        workflow.put("name", "Workflow " + seed).put("active", random.nextBoolean());
        workflow.putObject("meta").put("templateCredsSetupCompleted", true).put("instanceId", "a1");
        workflow.putObject("settings")
                .put("executionOrder", random.nextBoolean() ? "v1" : "v0")
                .put("timezone", "Europe/Berlin");
        workflow.putArray("tags").addObject().put("name", "demo");
        if (random.nextBoolean()) {
            workflow.put("id", "x" + seed);
        } else {
            workflow.putNull("id");
        }
        var size = random.nextInt(30) == 0 ? 150 + random.nextInt(250) : 3 + random.nextInt(28);
        var triggers = random.nextInt(5) == 0 ? 2 : random.nextInt(40) == 0 ? 0 : 1;
        for (var index = 0; index < triggers; index++) {
            add(GeneratedNodes.choose(random, TRIGGERS));
        }
        while (names.size() < size) {
            grow();
        }
        spoil();
        return workflow;
    }

    private void grow() {
        var before = names.isEmpty() || random.nextInt(80) == 0
                ? null
                : names.get(Math.max(0, names.size() - 1 - random.nextInt(4)));
        var row = GeneratedNodes.choose(random, INNER);
        var name = add(row);
        if (before != null) {
            connect(before, isBranching(before) ? random.nextInt(2) : 0, "main", name, 0);
        }
        if (row.type().endsWith("splitInBatches")) {
            var body = add(GeneratedNodes.choose(random, INNER));
            connect(name, random.nextInt(2), "main", body, 0);
            connect(body, 0, "main", name, 0);
        } else if (row.type().endsWith(".merge") && names.size() > 4) {
            connect(names.get(random.nextInt(names.size() - 2)), 0, "main", name, 1);
        } else if (random.nextInt(25) == 0 && names.size() > 3) {
            connect(name, 0, "main", names.get(random.nextInt(names.size())), 0);
        }
        if (row.type().contains("langchain")) {
            parts(name);
        }
    }

    private void parts(String owner) {
        for (var count = 1 + random.nextInt(3); count > 0; count--) {
            var row = GeneratedNodes.choose(random, PARTS);
            var part = add(row);
            connect(part, 0, kindOf(row.type()), owner, 0);
        }
    }

    private static String kindOf(String type) {
        if (type.contains(".lm")) {
            return "ai_languageModel";
        }
        if (type.contains(".memory")) {
            return "ai_memory";
        }
        if (type.contains(".outputParser")) {
            return "ai_outputParser";
        }
        if (type.contains(".embeddings")) {
            return "ai_embedding";
        }
        if (type.contains(".document")) {
            return "ai_document";
        }
        if (type.contains(".textSplitter")) {
            return "ai_textSplitter";
        }
        if (type.contains(".vectorStore")) {
            return "ai_vectorStore";
        }
        return type.contains(".retriever") ? "ai_retriever" : "ai_tool";
    }

    private boolean isBranching(String name) {
        for (var node : nodes) {
            if (node.path("name").asText().equals(name)) {
                return node.path("type").asText().matches(".*\\.(if|switch|splitInBatches|filter)");
            }
        }
        return false;
    }

    private String add(GeneratedNodes.Row row) {
        var kind = row.type().substring(row.type().lastIndexOf('.') + 1);
        var name = kind + NAMES.get(random.nextInt(NAMES.size()));
        while (names.contains(name)) {
            name = name + random.nextInt(1_000);
        }
        var node = nodes.addObject();
        var other = names.isEmpty() ? name : names.get(Math.max(0, names.size() - 1 - random.nextInt(3)));
        node.set("parameters", GeneratedNodes.parameters(row, random, other));
        node.put("id", "00000000-0000-4000-8000-" + names.size())
                .put("name", name)
                .put("type", row.type());
        node.put("typeVersion", row.versions().get(random.nextInt(row.versions().size())));
        node.putArray("position").add(220 * names.size()).add(300 + random.nextInt(400));
        if (row.parameters().contains("auth") || random.nextInt(4) == 0) {
            var credential =
                    node.putObject("credentials").putObject(kind + "Api").put("id", "17");
            if (random.nextBoolean()) {
                credential.put("name", "My " + kind + " ❤");
            }
        }
        names.add(name);
        return name;
    }

    private void connect(String from, int output, String kind, String to, int index) {
        var outputs = connections.withObjectProperty(from).withArrayProperty(kind);
        while (outputs.size() <= output) {
            if (random.nextInt(6) == 0 && outputs.size() < output) {
                outputs.addNull();
            } else {
                outputs.addArray();
            }
        }
        if (outputs.get(output) instanceof ArrayNode targets) {
            targets.addObject().put("node", to).put("type", kind).put("index", index);
        }
    }

    /** Defects and rarities of exports. */
    private void spoil() {
        for (var node : nodes) {
            var object = (ObjectNode) node;
            switch (random.nextInt(60)) {
                case 0 -> object.put("disabled", true);
                case 1 -> object.put("continueOnFail", true);
                case 2 -> object.put("onError", "continueErrorOutput");
                case 3 -> object.put("retryOnFail", true).put("maxTries", 3).put("waitBetweenTries", 1000);
                case 4 -> object.put("alwaysOutputData", true);
                case 5 -> object.put("executeOnce", true);
                case 6 -> object.remove("position");
                case 7 -> object.put("notes", "a note").put("notesInFlow", true);
                case 8 -> object.remove("typeVersion");
                case 9 -> object.put("webhookId", "w");
                default -> {
                    // Most nodes have no special options.
                }
            }
        }
        if (random.nextInt(6) == 0) {
            workflow.putObject("pinData")
                    .putArray(names.get(random.nextInt(names.size())))
                    .addObject()
                    .putObject("json")
                    .put("a", 1);
        }
        if (random.nextInt(10) == 0) {
            connections
                    .withObjectProperty("Gone")
                    .withArrayProperty("main")
                    .addArray()
                    .addObject()
                    .put("node", names.getFirst());
        }
        if (random.nextInt(10) == 0) {
            connections
                    .withObjectProperty(names.getFirst())
                    .withArrayProperty("main")
                    .addArray()
                    .addObject()
                    .put("node", "Gone");
        }
        if (random.nextInt(12) == 0 && nodes.size() > 3) {
            ((ObjectNode) nodes.get(nodes.size() - 1)).put("name", names.getFirst());
        }
        for (var count = random.nextInt(4); count > 0; count--) {
            var note = nodes.addObject()
                    .put("type", "n8n-nodes-base.stickyNote")
                    .put("typeVersion", 1)
                    .put("name", "Sticky Note" + count);
            note.putObject("parameters")
                    .put("content", "## Note\n" + "x".repeat(random.nextInt(500)))
                    .put("height", 200)
                    .put("width", 300);
            note.putArray("position").add(-200).add(100);
        }
    }
}
