package io.millrace.workspace.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import io.millrace.support.TestDatabase;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ModelUsageServiceIT {
    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    @Test
    void forgetsDays_thatAreNotKeptAnyLonger() {
        // given rows without a project, which another module would create
        var database = opened.database();
        Waiting.await(database.query("alter table model_usage drop constraint model_usage_project_id_fkey"));
        var clock = InstantSource.fixed(Instant.parse("2026-11-21T12:00:00Z"));
        for (var days : new int[] {399, 400, 401}) {
            Waiting.await(database.query(
                    "insert into model_usage values ($1, $2, 'custom', 'mill-1', 'CHAT', 1, 1, 1)",
                    Ids.next(),
                    LocalDate.parse("2026-11-21").minusDays(days)));
        }
        var service = new ModelUsageService(opened.vertx(), database, Duration.ofDays(400), clock);

        // when
        var removed = Waiting.await(service.removeExpired());

        // then
        assertThat(removed).isEqualTo(1);
        assertThat(Waiting.await(database.query("select from model_usage")).size())
                .isEqualTo(2);
    }
}
