package io.millrace.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Run metrics in Prometheus' text format. */
class RunMetricsIT {
    @AutoClose
    private TestServer server = TestServer.start(Map.of());

    private TestServer.SignedIn owner = server.signUp("owner@example.org", "Olga");

    @Test
    void countsLiveRunsByStatus_underTheFormerNames() {
        assertThat(metrics())
                .contains(
                        "# TYPE millrace_runs gauge",
                        "millrace_runs{status=\"QUEUED\"} 0",
                        "millrace_runs{status=\"RUNNING\"} 0",
                        "millrace_runs{status=\"PAUSED\"} 0",
                        "# TYPE millrace_runs_orphaned gauge",
                        "millrace_runs_orphaned 0",
                        "# TYPE millrace_waits_overdue gauge",
                        "millrace_waits_overdue 0");
    }

    @Test
    void exportsRequestsCachesPoolsAndCollections() {
        // When
        owner.api().get("/v1/users/me");
        owner.api().get("/v1/webhooks/nosuchflow00000000000");

        // Then
        assertThat(metrics())
                .containsPattern("millrace_http_requests_total\\{code=\"200\",route=\"/api/v1/users/me\"\\} [1-9]")
                .containsPattern("vertx_pool_.*pool_name=")
                .containsPattern("cache_gets_total\\{cache=\"webhook.targets\",result=\"miss\"\\} [1-9]")
                .containsPattern("jvm_gc_pause_seconds_count\\{gc=\"[^\"]+\"\\} [0-9]")
                .containsPattern("jvm_gc_memory_allocated_bytes_total [1-9]");
    }

    /** Every series takes memory until the process ends. */
    @Test
    void makesNoSeriesOfWhatStrangersChoose() throws IOException, InterruptedException {
        // Given
        var before = seriesOfRequests();
        var client = HttpClient.newHttpClient();

        // When
        for (var i = 0; i < 50; i++) {
            var uri = URI.create("http://127.0.0.1:" + server.port() + "/chosen" + i + "?chosen" + i);
            var request = HttpRequest.newBuilder(uri).method("CHOSEN" + i, BodyPublishers.noBody());
            client.send(request.build(), BodyHandlers.discarding());
        }

        // Then
        assertThat(metrics().toLowerCase(Locale.ROOT)).doesNotContain("chosen");
        assertThat(seriesOfRequests()).isLessThan(before + 20);
    }

    private long seriesOfRequests() {
        return metrics()
                .lines()
                .filter(line -> line.startsWith("millrace_http_requests_total"))
                .count();
    }

    private String metrics() {
        var answer = owner.api().get("/v1/metrics");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body().asText();
    }
}
