package io.millrace.fault;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.node.call.NodeBinary;
import io.millrace.support.ApiClient;
import io.millrace.support.FlowScript;
import io.millrace.support.FlowScript.Branch;
import io.millrace.support.PublishedFlow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Users who edit flows while faults are injected: the edit queue of the console in Node.js processes, with its keys,
 * preconditions and retries. The build bundles the program with the tests of the console.
 */
final class EditWriters implements AutoCloseable {
    private static final int WRITERS = 3;
    private static final int FLOWS = 2;
    private static final Path PROGRAM = Path.of("console/builder/tool/writer.tool.js");

    private final List<PublishedFlow> flows;
    private final URI entrance;
    private final long seed;
    private final Path node;
    private final Path program;
    private final List<Writer> writers = new ArrayList<>();

    /** A process, and the file of its output. */
    private record Writer(Process process, Path output) {}

    private EditWriters(List<PublishedFlow> flows, URI entrance, long seed, Path node, Path program) {
        this.flows = flows;
        this.entrance = entrance;
        this.seed = seed;
        this.node = node;
        this.program = program;
    }

    /**
     * Prepares the flows in a new project; empty without Node.js.
     *
     * @param entrance base address of the API for the writers
     */
    static Optional<EditWriters> of(PublishedFlow other, URI entrance, long seed) {
        var search = NodeBinary.find(Optional.empty(), System.getenv().getOrDefault("PATH", ""));
        if (!(search instanceof NodeBinary.Search.Match found)) {
            return Optional.empty();
        }
        var flow = FlowScript.webhook().firstMatch("step_1", Branch.otherwise(FlowScript.steps()));
        var first = other.inProjectOfItsOwn(flow.importOperation("EDITED").path("request"));
        var flows = new ArrayList<>(List.of(first));
        while (flows.size() < FLOWS) {
            flows.add(first.beside(flow.importOperation("EDITED").path("request")));
        }
        return Optional.of(new EditWriters(flows, entrance, seed, found.binary().executable(), program()));
    }

    private static Path program() {
        var found = EditWriters.class.getClassLoader().getResource(PROGRAM.toString());
        if (found == null) {
            throw new IllegalStateException("expected " + PROGRAM + " in the test classes: build the console");
        }
        return Path.of(URI.create(found.toString()));
    }

    void start() {
        var userId = flows.getFirst().api().get("/v1/users/me").text("/id");
        for (var number = 0; number < WRITERS; number++) {
            var flow = flows.get(number % flows.size());
            var plan = Json.object()
                    .put("base", "http://" + entrance.getAuthority())
                    .put("token", flow.api().token())
                    .put("userId", userId)
                    .put("projectId", flow.projectId())
                    .put("flowId", flow.flowId())
                    .put("writer", Character.toString('a' + number))
                    .put("seed", (int) (seed + number));
            writers.add(started(Json.text(plan)));
        }
    }

    private Writer started(String plan) {
        try {
            var output = Files.createTempFile("writer", ".json");
            var process = new ProcessBuilder(node.toString(), program.toString(), plan)
                    .redirectOutput(output.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return new Writer(process, output);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Stops new edits; the writers end after the server has confirmed all of theirs. */
    void end() throws IOException {
        for (var writer : writers) {
            writer.process().getOutputStream().close();
        }
    }

    boolean haveEnded() {
        return writers.stream().noneMatch(writer -> writer.process().isAlive());
    }

    private static JsonNode told(Writer writer) {
        try {
            if (writer.process().exitValue() != 0) {
                throw new IllegalStateException("expected the ledger of a console writer, found status "
                        + writer.process().exitValue());
            }
            return Json.trusted(Files.readString(writer.output()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Compares the writers' confirmations with the flows after all writers have ended. */
    EditReckoning reckon(ApiClient anonymous) {
        var versions = flows.stream()
                .map(flow -> flow.asked(anonymous).api().get("/v1/flows/" + flow.flowId()))
                .map(answer -> answer.body().path("version"))
                .toList();
        return EditReckoning.of(writers.stream().map(EditWriters::told).toList(), versions);
    }

    @Override
    public void close() {
        for (var writer : writers) {
            writer.process().destroyForcibly();
            try {
                Files.deleteIfExists(writer.output());
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
