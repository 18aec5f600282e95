package io.millrace.integration.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import io.millrace.support.LiveFlow;
import io.millrace.support.Waiting;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pushes to a repository, and releases from one, over HTTP. */
final class GitReleaseIT extends ReleaseBench {
    @Test
    void carriesFlowsThroughARepository() {
        // given
        var name = Ids.next();
        var url = git.repository(name);
        var flow = LiveFlow.publish(source, connected("shop", "one"));
        var other = LiveFlow.publish(source, answering("two"));
        makeConnection(source, "shop", HTTP, "The shop");
        makeConnection(source, "unused", HTTP, "Nobody's");
        var pushPath = keepInGit(source, url, "DEVELOPMENT");

        // when
        var pushed = admin.api().post(pushPath, push("PUSH_FLOW", "externalFlowIds", flow.externalId()));

        // then
        assertThat(pushed.status()).as(pushed.toString()).isEqualTo(200);
        assertThat(pushed.body().isMissingNode()).isTrue();
        assertThat(git.git(name, "ls-tree", "-r", "--name-only", "main").lines())
                .containsExactly(
                        "shop/connections/the-shop.shop.json", "shop/flows/mill." + flow.externalId() + ".json");
        assertThat(git.git(name, "log", "--format=%an <%ae> %s", "main"))
                .isEqualTo("Ada Miller <ada@example.com> By PUSH_FLOW");
        var file = git.git(name, "show", "main:shop/flows/mill." + flow.externalId() + ".json");
        assertThat(file).contains("\n    \"displayName\": \"Mill\"").doesNotContain("sampleData");

        // when
        keepInGit(target, url, "PRODUCTION");
        var plan = plan(fromGit());
        var released = release(fromGit());

        // then
        assertThat(types(plan, "flows")).containsExactly("CREATE_FLOW");
        assertThat(types(plan, "connections")).containsExactly("CREATE_CONNECTION");
        assertThat(released.status()).as(released.toString()).isEqualTo(200);
        assertThat(flows(target).keySet()).containsExactly(flow.externalId());
        assertThat(plan(fromGit()).body().path("flows")).isEmpty();

        // when the file is edited in the repository
        git.commit(
                name,
                Map.of(
                        "shop/flows/mill." + flow.externalId() + ".json",
                        file.replace("\"one\"", "\"by hand\""),
                        "shop/flows/notes.txt",
                        "not a flow",
                        "shop/README.md",
                        "not one either"));
        assertThat(types(plan(fromGit()), "flows")).containsExactly("UPDATE_FLOW");
        release(fromGit());

        // then
        assertThat(flows(target).get(flow.externalId()).toString()).contains("by hand");

        // when everything is pulled, then one item that was deleted here and one that was deleted there
        assertThat(admin.api().post(pushPath, push("PUSH_EVERYTHING", "none")).status())
                .isEqualTo(200);
        assertThat(admin.api()
                        .post(pushPath, push("DELETE_FLOW", "externalFlowIds", other.externalId(), "../../x"))
                        .status())
                .isEqualTo(200);
        var externalId = flow.externalId();
        admin.api().delete("/v1/flows/" + flow.id());

        // then
        Waiting.until(
                "the deleted flow is out of the repository",
                () -> !git.git(name, "ls-tree", "-r", "--name-only", "main").contains(externalId));
        assertThat(git.git(name, "ls-tree", "-r", "--name-only", "main").lines())
                .containsExactly("shop/README.md", "shop/connections/the-shop.shop.json", "shop/flows/notes.txt");
        assertThat(git.git(name, "log", "-1", "--format=%s", "main")).isEqualTo("chore: deleted flow " + externalId);
        release(fromGit());
        assertThat(flows(target)).isEmpty();
    }

    @Test
    void refusesARepositoryThatHoldsNoFlows_andChangesNothing() {
        // given
        var name = Ids.next();
        var pushPath = keepInGit(target, git.repository(name), "PRODUCTION");
        var flow = LiveFlow.publish(target, answering("one"));
        assertThat(admin.api().post(pushPath, push("PUSH_EVERYTHING", "none")).status())
                .isEqualTo(200);
        var path = "shop/flows/mill." + flow.externalId() + ".json";
        var file = git.git(name, "show", "main:" + path);

        // when, then
        for (var bad : Map.of(
                        "{",
                        "is not JSON",
                        "[]",
                        "expected object",
                        "{\"externalId\":\"x\",\"version\":{}}",
                        "version/displayName",
                        file.replace("PIECE_TRIGGER", "OTHER"),
                        "version/trigger",
                        file.replace(flow.externalId(), ""),
                        "externalId")
                .entrySet()) {
            git.commit(name, Map.of(path, bad.getKey()));
            var refused = release(fromGit());
            assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
            assertThat(refused.text("/message")).contains("flows/mill." + flow.externalId(), bad.getValue());
        }
        git.commit(name, Map.of(path, file, "shop/flows/copy.json", file));
        assertThat(release(fromGit()).text("/params/message")).contains("twice");
        assertThat(answer(flows(target).get(flow.externalId()))).isEqualTo("one");
    }

    /** Path traversal: an external id cannot name a file outside the folder of its project. */
    @Test
    void acceptsExternalIdsFromARepository_thatWouldTraverseAsAPath() {
        // given
        var name = Ids.next();
        var pushPath = keepInGit(target, git.repository(name), "PRODUCTION");
        var flow = LiveFlow.publish(target, answering("one"));
        admin.api().post(pushPath, push("PUSH_EVERYTHING", "none"));
        var file = git.git(name, "show", "main:shop/flows/mill." + flow.externalId() + ".json");
        git.commit(name, Map.of("shop/flows/evil.json", file.replace(flow.externalId(), "../../evil")));

        // when
        assertThat(release(fromGit()).status()).isEqualTo(200);
        var pushed = admin.api().post(pushPath, push("PUSH_FLOW", "externalFlowIds", "../../evil"));

        // then
        assertThat(pushed.status()).isEqualTo(200);
        assertThat(git.git(name, "ls-tree", "-r", "--name-only", "main").lines())
                .contains("shop/flows/mill.%2E%2E%2F%2E%2E%2Fevil.json")
                .allMatch(path -> path.startsWith("shop/"));
    }

    @Test
    void refusesPushesThatMakeNoSense() {
        // given
        var pushPath = keepInGit(target, git.repository(Ids.next()), "PRODUCTION");

        // when, then
        assertThat(admin.api()
                        .post(pushPath, push("PUSH_FLOW", "externalFlowIds", "unknown"))
                        .status())
                .isEqualTo(404);
        assertThat(admin.api()
                        .post(pushPath, push("PUSH_TABLE", "externalTableIds", "unknown"))
                        .status())
                .isEqualTo(404);
        assertThat(admin.api()
                        .post(pushPath, push("DELETE_TABLE", "externalTableIds"))
                        .status())
                .isEqualTo(200);
        assertThat(admin.api()
                        .post(pushPath, push("PUSH_FLOW", "externalTableIds"))
                        .text("/message"))
                .contains("body/externalFlowIds");
        assertThat(admin.api()
                        .post(pushPath, push("PUSH_EVERYTHING", "none").put("commitMessage", ""))
                        .text("/message"))
                .contains("body/commitMessage");
        assertThat(admin.api().post(pushPath, push("PULL", "none")).text("/message"))
                .contains("body/type");
        assertThat(admin.api()
                        .post("/v1/git-repos/" + Ids.next() + "/push", push("PUSH_EVERYTHING", "none"))
                        .status())
                .isEqualTo(404);
    }
}
