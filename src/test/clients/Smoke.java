import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.FlowsApi;
import org.openapitools.client.api.PeopleApi;
import org.openapitools.client.api.ProjectsApi;
import org.openapitools.client.api.RunsApi;
import org.openapitools.client.api.SignInApi;
import org.openapitools.client.api.WebhooksApi;
import org.openapitools.client.model.FlowOperation;
import org.openapitools.client.model.FlowStatus;
import org.openapitools.client.model.ImportFlow;
import org.openapitools.client.model.ImportFlowRequest;
import org.openapitools.client.model.LockAndPublish;
import org.openapitools.client.model.LockAndPublishRequest;
import org.openapitools.client.model.NewFlow;
import org.openapitools.client.model.NewProject;
import org.openapitools.client.model.RunStatus;
import org.openapitools.client.model.SignUp;

/** Uses a running server through the client that was generated for Java: signs up, makes a flow, runs it, uploads a file. */
final class Smoke {
    private Smoke() {}

    /** Expects the server's URL, the address and password of a new account, the file of a flow, and a picture. */
    public static void main(String[] arguments) throws Exception {
        var client = new ApiClient();
        client.updateBaseUri(arguments[0] + "/api");
        var session = new SignInApi(client)
                .signUp(new SignUp()
                        .email(arguments[1])
                        .password(arguments[2])
                        .firstName("Ada")
                        .lastName("Miller")
                        .trackEvents(false)
                        .newsLetter(false));
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + session.getToken()));

        var project = new ProjectsApi(client).createProject(new NewProject().displayName("Java"));
        expect("Java", project.getDisplayName());
        var flows = new FlowsApi(client);
        var flow = flows.createFlow(
                new NewFlow().displayName("Orders").projectId(session.getProjectId()));
        var file = new ObjectMapper().readValue(Files.readString(Path.of(arguments[3])), Map.class);
        var request = new ImportFlowRequest()
                .displayName((String) file.get("displayName"))
                .schemaVersion((String) file.get("schemaVersion"))
                .trigger(file.get("trigger"));
        flows.operateFlow(
                flow.getId(),
                new FlowOperation(new ImportFlow().type(ImportFlow.TypeEnum.IMPORT_FLOW).request(request)));
        var published = flows.operateFlow(
                flow.getId(),
                new FlowOperation(new LockAndPublish()
                        .type(LockAndPublish.TypeEnum.LOCK_AND_PUBLISH)
                        .request(new LockAndPublishRequest())));
        expect(FlowStatus.ENABLED, published.getStatus());

        new WebhooksApi(client)
                .receiveEventAndWait(flow.getId(), null, Map.of("customer", "Ada", "quantity", 3, "price", 19.5));
        var runs = new RunsApi(client)
                .listRuns(session.getProjectId(), null, null, null, null, null, null, null, null, null, null, null)
                .getData();
        expect(1, runs.size());
        var run = new RunsApi(client).getRun(runs.getFirst().getId());
        expect(RunStatus.SUCCEEDED, run.getStatus());
        expect(4, run.getSteps().size());
        var person = new PeopleApi(client).updateOwnUser(new File(arguments[4]));
        expect(true, person.getImageUrl() != null);
        try {
            new ProjectsApi(client).getProject("0".repeat(21));
            throw new AssertionError("expected no such project");
        } catch (ApiException refused) {
            expect(404, refused.getCode());
        }
    }

    private static void expect(Object expected, Object found) {
        if (!expected.equals(found)) {
            throw new AssertionError("expected " + expected + ", found " + found);
        }
    }
}
