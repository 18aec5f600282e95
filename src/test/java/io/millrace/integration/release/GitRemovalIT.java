package io.millrace.integration.release;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import org.junit.jupiter.api.Test;

/** Removals of deleted flows and tables from the repository of their project, which does not always accept them. */
final class GitRemovalIT extends ReleaseBench {
    private final String name = Ids.next();

    private String makeTable(String externalId) {
        var made = admin.api()
                .post(
                        "/v1/tables",
                        Json.object()
                                .put("projectId", source.projectId())
                                .put("name", "Orders")
                                .put("externalId", externalId));
        assertThat(made.status()).as(made.toString()).isLessThan(300);
        return made.text("/id");
    }

    /** Pushes everything to a development branch whose server then seems to be another one. */
    private void pushAndRefuse(SignedIn project) {
        var path = keepInGit(project, git.repository(name), "DEVELOPMENT");
        assertThat(admin.api().post(path, push("PUSH_EVERYTHING", "none")).status())
                .isEqualTo(200);
        server.execute("update git_repo set host_key = reverse(host_key) where project_id = $1", project.projectId());
    }

    private void accept(SignedIn project) {
        server.execute("update git_repo set host_key = reverse(host_key) where project_id = $1", project.projectId());
        server.execute("update git_removal set due = now() where project_id = $1", project.projectId());
    }

    private long removals(SignedIn project) {
        return server.count("select count(*) from git_removal where project_id = $1", project.projectId());
    }

    private void awaitRefused(int count) {
        Waiting.until(
                "the removals are refused and postponed",
                () -> server.count(
                                "select count(*) from git_removal where project_id = $1 and attempts > 0"
                                        + " and due < now() + interval '50 seconds'",
                                source.projectId())
                        == count);
    }

    private String files() {
        return git.git(name, "ls-tree", "-r", "--name-only", "main");
    }

    @Test
    void removesWhatWasDeleted_onceTheRepositoryAcceptsIt() {
        // given
        var flow = LiveFlow.draft(source, webhook());
        var tableExternalId = Ids.next();
        var table = makeTable(tableExternalId);
        pushAndRefuse(source);
        assertThat(files()).contains(flow.externalId(), tableExternalId);
        var flowExternalId = flow.externalId();

        // when
        assertThat(admin.api().delete("/v1/flows/" + flow.id()).status()).isEqualTo(204);
        assertThat(admin.api().delete("/v1/tables/" + table).status()).isEqualTo(204);

        // then they are recorded with the deletion, and tried
        assertThat(removals(source)).isEqualTo(2);
        awaitRefused(2);

        // when
        accept(source);

        // then
        Waiting.until("the removals are done", () -> removals(source) == 0);
        assertThat(files()).doesNotContain(flowExternalId, tableExternalId);
        assertThat(git.git(name, "log", "-2", "--format=%an <%ae> %s", "main").lines())
                .containsExactlyInAnyOrder(
                        "Ada Miller <ada@example.com> chore: deleted flow " + flowExternalId,
                        "Ada Miller <ada@example.com> chore: deleted table " + tableExternalId);
    }

    @Test
    void keepsTheFile_whenTheTableExistsAgain() {
        // given
        var externalId = Ids.next();
        var table = makeTable(externalId);
        pushAndRefuse(source);
        assertThat(admin.api().delete("/v1/tables/" + table).status()).isEqualTo(204);
        awaitRefused(1);

        // when
        makeTable(externalId);
        accept(source);

        // then
        Waiting.until("the removal is done", () -> removals(source) == 0);
        assertThat(files()).contains(externalId);
    }

    @Test
    void recordsNothing_forAProductionBranch() {
        // given
        var flow = LiveFlow.draft(target, webhook());
        keepInGit(target, git.repository(name), "PRODUCTION");

        // when
        var deleted = admin.api().delete("/v1/flows/" + flow.id());

        // then
        assertThat(deleted.status()).isEqualTo(204);
        assertThat(removals(target)).isZero();
    }
}
