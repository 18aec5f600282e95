package io.millrace.workspace.project;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Ids;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lists of projects, and the deletion of one. */
class ProjectListIT extends ProjectBench {
    @Test
    void walksAllPagesForthAndBack_whenProjectsWereMadeInTheSameInstant() {
        // Given
        for (var i = 0; i < 6; i++) {
            admin.api().post(PROJECTS, named("Mill " + i));
        }
        var whole = admin.api().get(PROJECTS).body().path("data");

        // When
        var forth = new ArrayList<JsonNode>();
        var page = admin.api().get(PROJECTS + "?limit=3").body();
        page.path("data").forEach(forth::add);
        var firstPrevious = page.path("previous");
        while (!page.path("next").isNull()) {
            page = admin.api()
                    .get(PROJECTS + "?limit=3&cursor=" + page.path("next").asText())
                    .body();
            page.path("data").forEach(forth::add);
        }
        var back = admin.api()
                .get(PROJECTS + "?limit=3&cursor=" + page.path("previous").asText())
                .body();

        // Then
        assertThat(whole).hasSize(7);
        assertThat(forth).containsExactlyElementsOf(whole);
        assertThat(firstPrevious.isNull()).isTrue();
        assertThat(back.path("data")).containsExactly(whole.get(3), whole.get(4), whole.get(5));
    }

    @Test
    void ordersByCreation() {
        // Given
        server.clock().advance(Duration.ofSeconds(2));
        var later = admin.api().post(PROJECTS, named("Later"));
        server.clock().advance(Duration.ofSeconds(-1));
        var earlier = admin.api().post(PROJECTS, named("Earlier"));

        // When
        var listed = admin.api().get(PROJECTS + "?types=TEAM").body().path("data");

        // Then
        assertThat(listed).containsExactly(earlier.body(), later.body());
    }

    @Test
    void filtersTheList() {
        // Given
        var bob = server.signUp("bob@example.com", "Bob");
        server.execute("update platform_user set external_id = 'bob' where id = $1", bob.userId());
        var mill = admin.api().post(PROJECTS, named("100% Mill").put("externalId", "mill"));
        admin.api().post(PROJECTS, named("Smithy"));

        // Then
        assertThat(ids("?externalId=mill")).containsExactly(mill.text("/id"));
        assertThat(ids("?externalId=mil")).isEmpty();
        assertThat(ids("?displayName=0%25%20mILL")).containsExactly(mill.text("/id"));
        assertThat(ids("?displayName=%25")).containsExactly(mill.text("/id"));
        assertThat(ids("?types=PERSONAL")).containsExactlyInAnyOrder(admin.projectId(), bob.projectId());
        assertThat(ids("?types=PERSONAL&types=TEAM")).hasSize(4);
        assertThat(ids("?types[]=TEAM")).hasSize(2);
        assertThat(ids("?externalUserId=bob")).containsExactly(bob.projectId());
        assertThat(ids("?externalUserId=nobody")).isEmpty();
        assertThat(admin.api().get(PROJECTS + "?types=OTHER").status()).isEqualTo(400);
        assertThat(admin.api().get(PROJECTS + "?limit=many").status()).isEqualTo(400);
        assertThat(admin.api().get(PROJECTS + "?cursor=nonsense").status()).isEqualTo(400);
    }

    @Test
    void countsMembers() {
        // Given
        var made = admin.api().post(PROJECTS, named("Mill"));
        var bob = server.signUp("bob@example.com", "Bob");
        var eve = server.signUp("eve@example.com", "Eve");
        server.join(bob, made.text("/id"), "Viewer");
        server.join(eve, made.text("/id"), "Viewer");
        server.execute("update platform_user set status = 'INACTIVE' where id = $1", eve.userId());

        // When
        var shown = admin.api().get(path(made.body()));

        // Then
        assertThat(shown.body().at("/analytics/totalUsers").asInt()).isEqualTo(2);
        assertThat(shown.body().at("/analytics/activeUsers").asInt()).isEqualTo(1);
    }

    @Test
    void vanishes_whenDeleted() {
        // Given
        var made = admin.api().post(PROJECTS, named("Mill").put("alertReceiverEmail", "ops@example.com"));

        // When
        var deleted = admin.api().delete(path(made.body()));

        // Then
        assertThat(deleted.status()).isEqualTo(204);
        assertThat(admin.api().get(path(made.body())).status()).isEqualTo(404);
        assertThat(ids("?types=TEAM")).isEmpty();
        assertThat(admin.api().delete(path(made.body())).status()).isEqualTo(404);
        Waiting.until(
                "the rows are removed",
                () -> server.count("select count(*) from project where id = $1", made.text("/id")) == 0);
        assertThat(receivers(made.text("/id"), "ops@example.com")).isZero();
    }

    @Test
    void refusesToDelete_whenPersonalUnknownForeignOrNotAdministrator() {
        // Given
        var foreign = server.foreignProject();
        var bob = server.signUp("bob@example.com", "Bob");
        var made = admin.api().post(PROJECTS, named("Mill"));
        server.join(bob, made.text("/id"), "Admin");

        // When
        var personal = admin.api().delete(PROJECTS + "/" + admin.projectId());
        var unknown = admin.api().delete(PROJECTS + "/" + Ids.next());
        var ofAnother = admin.api().delete(PROJECTS + "/" + foreign);
        var byMember = bob.api().delete(path(made.body()));

        // Then
        assertThat(personal.status()).isEqualTo(409);
        assertThat(personal.text("/code")).isEqualTo("VALIDATION");
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(ofAnother.status()).isEqualTo(404);
        assertThat(byMember.status()).isEqualTo(403);
        assertThat(server.count("select count(*) from project where deleted is not null"))
                .isZero();
    }

    private List<String> ids(String query) {
        var ids = new ArrayList<String>();
        admin.api()
                .get(PROJECTS + query)
                .body()
                .path("data")
                .forEach(project -> ids.add(project.path("id").asText()));
        return ids;
    }
}
