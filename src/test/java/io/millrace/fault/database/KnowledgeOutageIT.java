package io.millrace.fault.database;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.HeldCommit;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.ModelServer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Vectors of knowledge base documents that were computed during an outage of the database are recorded after it, with
 * one call per batch.
 */
@Slow(Slow.Reason.FAULT)
class KnowledgeOutageIT {
    private static final String FILES = "/v1/knowledge-base/files";

    private final ModelServer model = ModelServer.start();
    private ProxiedServer proxied;
    private TestServer.SignedIn ada;

    @BeforeEach
    void start() {
        proxied = ProxiedServer.start();
        ada = proxied.server().signUp("ada@example.com", "Ada");
        model.serve(ada);
    }

    @AfterEach
    void stop() {
        proxied.close();
        model.close();
    }

    private CompletableFuture<Answer> upload(String text) {
        return CompletableFuture.supplyAsync(() -> ada.api()
                .postForm(
                        FILES + "/upload?projectId=" + ada.projectId(),
                        Map.of("displayName", "Handbook"),
                        "file",
                        "handbook.txt",
                        text.getBytes(StandardCharsets.UTF_8)));
    }

    /** The database is unavailable after a call of the model has been performed. */
    private void interruptAtCall(int number) {
        var calls = new AtomicInteger();
        model.embedding(question -> {
            if (calls.incrementAndGet() == number) {
                proxied.way().interrupt();
            }
            return ModelServer.vectors(question);
        });
    }

    private long rows(String table) {
        return proxied.server().count("select count(*) from " + table);
    }

    private void assertRecordedOnce(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        assertThat(answer.text("/status")).isEqualTo("READY");
        assertThat(rows("knowledge_file")).isEqualTo(1);
        assertThat(rows("knowledge_chunk")).isEqualTo(1);
        assertThat(rows("file where type = 'KNOWLEDGE_BASE'")).isEqualTo(1);
        assertThat(model.embedded).hasSize(1);
    }

    @Test
    void recordsAnUpload_whoseVectorsWereComputedDuringAnOutage() {
        interruptAtCall(1);

        var answer = upload("The mill opens on Mondays.");
        proxied.way().awaitLost(10);
        proxied.way().mend();

        assertRecordedOnce(answer.join());
    }

    @Test
    void recordsAnUploadOnce_whenTheAnswerToTheCommitIsLost() {
        CompletableFuture<Answer> answer;
        try (var commit = HeldCommit.of(proxied.database(), "knowledge_file", "insert", "true")) {
            answer = upload("The mill opens on Mondays.");
            commit.awaitWaiting();

            proxied.way().interrupt();
        }
        assertThat(rows("knowledge_file")).isEqualTo(1);
        proxied.way().mend();

        assertRecordedOnce(answer.join());
    }

    @Test
    void computesEachBatchOnce_whenTheDatabaseIsAwayBetweenThem() {
        // given a document of several batches, the first of which is computed during the upload
        var text = "The mill opens on Mondays, and closes on Fridays at five. ".repeat(4_000);
        interruptAtCall(2);
        var uploaded = upload(text).join();
        assertThat(uploaded.text("/status")).isEqualTo("INDEXING");

        // when
        proxied.way().awaitLost(10);
        proxied.way().mend();

        // then
        Waiting.until("the document is indexed", () -> isReady(uploaded.body()));
        var texts = model.embedded.stream()
                .mapToLong(question -> question.path("input").size())
                .sum();
        assertThat(texts).isEqualTo(rows("knowledge_chunk"));
    }

    private boolean isReady(JsonNode file) {
        var answer = ada.api().get(FILES + "/" + file.path("id").asText());
        return answer.status() == 200 && answer.text("/status").equals("READY");
    }
}
