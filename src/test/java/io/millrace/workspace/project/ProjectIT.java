package io.millrace.workspace.project;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Json;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Creation and changes of projects. */
class ProjectIT extends ProjectBench {
    @Test
    void makesTeamProject_withEveryFieldOfTheWish() {
        // Given
        var request = named("Mill")
                .put("externalId", "customer-7")
                .put("maxConcurrentJobs", 3)
                .put("alertReceiverEmail", "Ops@Example.com");
        request.putObject("metadata").putObject("deep").put("k", 1.5);
        request.putArray("globalConnectionExternalIds").add("nobody-knows");

        // When
        var made = admin.api().post(PROJECTS, request);

        // Then
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.text("/type")).isEqualTo("TEAM");
        assertThat(made.text("/ownerId")).isEqualTo(admin.userId());
        assertThat(made.text("/platformId")).isEqualTo(admin.platformId());
        assertThat(made.text("/externalId")).isEqualTo("customer-7");
        assertThat(made.body().at("/maxConcurrentJobs").asInt()).isEqualTo(3);
        assertThat(made.body().at("/metadata")).isEqualTo(request.path("metadata"));
        assertThat(made.body().at("/releasesEnabled").booleanValue()).isFalse();
        assertThat(made.body().at("/poolId").isNull()).isTrue();
        assertThat(IconColor.values()).extracting(IconColor::name).contains(made.text("/icon/color"));
        assertThat(made.text("/plan/projectId")).isEqualTo(made.text("/id"));
        assertThat(made.text("/plan/piecesFilterType")).isEqualTo("NONE");
        assertThat(made.body().at("/analytics/totalFlows").isInt()).isTrue();
        assertThat(made.body().has("deleted")).isFalse();
        assertThat(admin.api().get(PROJECTS + "/" + made.text("/id")).body()).isEqualTo(made.body());
        assertThat(receivers(made.text("/id"), "ops@example.com")).isEqualTo(1);
    }

    @Test
    void addsNoAlertReceiver_whenNoneIsNamed() {
        // When
        var made =
                admin.api().post(PROJECTS, named("Mill").putNull("externalId").putNull("alertReceiverEmail"));

        // Then
        assertThat(made.status()).isEqualTo(201);
        assertThat(server.count("select count(*) from alert where project_id = $1", made.text("/id")))
                .isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = PlatformRole.class,
            names = {"MEMBER", "OPERATOR"})
    void refusesATeamProject_ofUsersWhoAreNoAdministrators(PlatformRole role) {
        // Given
        var user = server.signUp(role.name().toLowerCase(Locale.ROOT) + "@example.com", "Bob", role);
        var request = named("Mill").put("externalId", "wanted-by-bob").put("maxConcurrentJobs", 1000);

        // When
        var refused = user.api().post(PROJECTS, request.put("alertReceiverEmail", "other@example.com"));

        // Then
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.text("/code")).isEqualTo("AUTHORIZATION");
        assertThat(server.count("select count(*) from project where external_id = 'wanted-by-bob'"))
                .isZero();
        assertThat(admin.api()
                        .post(PROJECTS, named("Mill").put("externalId", "wanted-by-bob"))
                        .status())
                .isEqualTo(201);
    }

    @Test
    void belongsToThePlatformsOwner_whenAKeyCreatesIt() {
        // When
        var made = admin.withApiKey().post(PROJECTS, named("Mill"));

        // Then
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.text("/ownerId")).isEqualTo(admin.userId());
    }

    @Test
    void leavesItToAdministrators_toGiveAProjectMoreThanTheOthersHave() {
        // Given
        var member = server.signUp("runs-much@example.com", "Mel");
        var own = PROJECTS + "/" + member.projectId();

        // When
        var refused = member.api().post(own, Json.object().put("maxConcurrentJobs", 6));
        var unchanged = member.api().get(own).body().path("maxConcurrentJobs");
        var within = member.api().post(own, Json.object().put("maxConcurrentJobs", 5));
        var given = admin.api().post(own, Json.object().put("maxConcurrentJobs", 60));
        server.execute("update project set max_concurrent_jobs = 60 where id = $1", member.projectId());
        var kept = member.api().post(own, Json.object().put("maxConcurrentJobs", 60));
        var grown = member.api().post(own, Json.object().put("maxConcurrentJobs", 61));

        // Then
        assertThat(refused.text("/code")).isEqualTo("VALIDATION");
        assertThat(refused.text("/params/message")).contains("maxConcurrentJobs: expected at most 5", "found 6");
        assertThat(unchanged.isNull()).isTrue();
        assertThat(within.body().path("maxConcurrentJobs").asInt()).isEqualTo(5);
        assertThat(given.status()).isIn(200, 403);
        assertThat(kept.status()).isEqualTo(200);
        assertThat(grown.text("/code")).isEqualTo("VALIDATION");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ops@example.com ", " ops@example.com", "ops@example.com\n"})
    void refusesAnAlertReceiver_withBlanksAroundIt(String receiver) {
        // When
        var refused = admin.api().post(PROJECTS, named("Mill").put("alertReceiverEmail", receiver));

        // Then
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/message")).isEqualTo("body/alertReceiverEmail Invalid email address");
    }

    @Test
    void namesEveryViolation_whenTheWishIsWrong() {
        // Given
        var request = named("a.b").put("maxConcurrentJobs", 1.5).put("alertReceiverEmail", "nobody");
        request.putArray("globalConnectionExternalIds").add(7);
        request.put("metadata", "text");

        // When
        var refused = admin.api().post(PROJECTS, request);
        var nameless = admin.api().post(PROJECTS, Json.object());

        // Then
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/message"))
                .contains("body/displayName Invalid string: must match pattern /^[^./]+$/")
                .contains("body/maxConcurrentJobs Invalid input: expected int, received number")
                .contains("body/alertReceiverEmail Invalid email address")
                .contains("body/globalConnectionExternalIds/0 Invalid input: expected string")
                .contains("body/metadata Invalid input: expected object, received string");
        assertThat(nameless.text("/message"))
                .isEqualTo("body/displayName Invalid input: expected string, received undefined");
        assertThat(server.count("select count(*) from project where type = 'TEAM'"))
                .isZero();
    }

    @Test
    void refusesExternalId_whenAnotherProjectHasIt() {
        // Given
        admin.api().post(PROJECTS, named("First").put("externalId", "taken"));
        var second = admin.api().post(PROJECTS, named("Second"));

        // When
        var made = admin.api().post(PROJECTS, named("Third").put("externalId", "taken"));
        var changed = admin.api().post(path(second.body()), Json.object().put("externalId", "taken"));

        // Then
        assertThat(made.status()).isEqualTo(409);
        assertThat(made.text("/code")).isEqualTo("PROJECT_EXTERNAL_ID_ALREADY_EXISTS");
        assertThat(made.text("/params/externalId")).isEqualTo("taken");
        assertThat(changed.status()).isEqualTo(409);
        assertThat(admin.api().get(path(second.body())).body()).isEqualTo(second.body());
    }

    @Test
    void freesExternalId_whenItsProjectIsDeleted() {
        // Given
        var first = admin.api().post(PROJECTS, named("First").put("externalId", "taken"));
        admin.api().delete(path(first.body()));

        // When
        var second = admin.api().post(PROJECTS, named("Second").put("externalId", "taken"));

        // Then
        assertThat(second.status()).isEqualTo(201);
    }

    @Test
    void changesNamedFieldsOnly() {
        // Given
        var request = named("Mill").put("externalId", "old").put("maxConcurrentJobs", 3);
        request.putObject("metadata").put("k", 1);
        var made = admin.api().post(PROJECTS, request);
        server.clock().advance(Duration.ofSeconds(1));
        var changes = named("Watermill").put("releasesEnabled", true).put("externalId", " ");
        changes.putObject("icon").put("color", "DEEP_ORANGE");
        changes.putObject("plan").putArray("pieces").add("http");
        changes.putNull("maxConcurrentJobs");

        // When
        var changed = admin.api().post(path(made.body()), changes);

        // Then
        var expected = (ObjectNode) made.body().deepCopy();
        expected.put("displayName", "Watermill")
                .put("releasesEnabled", true)
                .putNull("maxConcurrentJobs")
                .put("updated", "2026-03-09T12:34:57.789Z");
        expected.withObject("/icon").put("color", "DEEP_ORANGE");
        expected.withObject("/plan")
                .put("updated", "2026-03-09T12:34:57.789Z")
                .putArray("pieces")
                .add("http");
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.body()).isEqualTo(expected);
        assertThat(admin.api().get(path(made.body())).body()).isEqualTo(expected);
    }

    @Test
    void replacesMetadataAndPiecesFilter() {
        // Given
        var request = named("Mill");
        request.putObject("metadata").put("old", 1);
        var made = admin.api().post(PROJECTS, request);
        var changes = Json.object();
        changes.putObject("metadata").put("new", true);
        changes.putObject("plan").put("piecesFilterType", "ALLOWED");
        changes.putArray("globalConnectionExternalIds");

        // When
        var changed = admin.api().post(path(made.body()), changes);

        // Then
        assertThat(changed.body().path("metadata")).isEqualTo(changes.path("metadata"));
        assertThat(changed.text("/plan/piecesFilterType")).isEqualTo("ALLOWED");
        assertThat(changed.body().at("/plan/pieces").isEmpty()).isTrue();
    }

    @Test
    void keepsNameAndIcon_whenTheProjectIsPersonal() {
        // Given
        var before = admin.api().get(PROJECTS + "/" + admin.projectId());
        var changes = named("Other").put("releasesEnabled", true);
        changes.putObject("icon").put("color", before.text("/icon/color").equals("RED") ? "BLUE" : "RED");

        // When
        var changed = admin.api().post(PROJECTS + "/" + admin.projectId(), changes);

        // Then
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.text("/displayName")).isEqualTo("Example's Project");
        assertThat(changed.text("/icon/color")).isEqualTo(before.text("/icon/color"));
        assertThat(changed.body().path("releasesEnabled").asBoolean()).isTrue();
    }

    @Test
    void refusesChanges_whenTheyAreWrong() {
        // Given
        var made = admin.api().post(PROJECTS, named("Mill"));
        var changes = named("a/b").put("maxConcurrentJobs", 0);
        changes.putObject("icon").put("color", "BROWN");
        changes.putObject("plan").putNull("piecesFilterType").putArray("pieces").add(1);
        changes.putNull("releasesEnabled").putNull("metadata").putNull("globalConnectionExternalIds");

        // When
        var refused = admin.api().post(path(made.body()), changes);

        // Then
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/message"))
                .contains("body/displayName")
                .contains("body/maxConcurrentJobs Too small")
                .contains("body/icon/color Invalid option: expected one of \"RED\"|\"BLUE\"")
                .contains("body/plan/piecesFilterType Invalid option")
                .contains("body/releasesEnabled Invalid input: expected boolean, received null")
                .contains("body/metadata Invalid input: expected object, received null")
                .contains("body/globalConnectionExternalIds Invalid input: expected array, received null")
                .contains("body/plan/pieces/0 Invalid input: expected string, received number");
        assertThat(admin.api().get(path(made.body())).body()).isEqualTo(made.body());
    }
}
