package io.millrace.engine.run.step;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.outside.Outside;
import org.junit.jupiter.api.Test;

/** Files of steps in an external storage. */
class StepFileIT {
    @Test
    void failsOnce_whenTheStorageIsAway() {
        // Given
        try (var outside = Outside.start();
                var server = ServerSettings.localCalls()
                        .with("AP_FILE_STORAGE_LOCATION", "S3")
                        .with("AP_S3_ENDPOINT", outside.url(""))
                        .with("AP_S3_BUCKET", "broken")
                        .with("AP_S3_REGION", "somewhere")
                        .with("AP_S3_ACCESS_KEY_ID", "key")
                        .with("AP_S3_SECRET_ACCESS_KEY", "secret")
                        .start()) {
            var input = (ObjectNode) json("""
                    {'method':'POST','url':'%s','authType':'NONE','body_type':'none','headers':{},'queryParams':{},
                     'authFields':{},'response_to_file':true}
                    """.formatted(outside.url("/report")));
            var flow = LiveFlow.publish(
                    server.signUp("ada@example.com", "Ada"),
                    webhook().piece("step_1", "@activepieces/piece-http", "0.11.13", "send_request", input));

            // When
            var run = flow.run(json("{}"));

            // Then
            assertThat(run.path("status").asText()).isEqualTo("FAILED");
            assertThat(run.at("/steps/step_1/errorMessage").asText()).contains("the file storage failed");
            assertThat(outside.paths()).filteredOn("/report"::equals).hasSize(1);
        }
    }
}
