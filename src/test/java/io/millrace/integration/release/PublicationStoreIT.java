package io.millrace.integration.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.Database;
import io.millrace.integration.release.Publications.Publication;
import io.millrace.support.TestDatabase;
import io.millrace.support.TestProjects;
import io.millrace.support.Waiting;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Pending publications of a flow with several releases in quick succession. */
class PublicationStoreIT {
    private static final Instant LANDED = Instant.parse("2026-01-02T03:04:05.678901Z");

    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    private static Database database = opened.database();

    private final PublicationStore store = new PublicationStore();

    @Test
    void keepsWhatANewerReleaseHasBrought_whenTheOlderOneIsPublished() {
        // given
        var flowId = flow(TestProjects.insert(database));
        var older = new Publication(flowId, FlowStatus.ENABLED, LANDED);
        var newer = new Publication(flowId, FlowStatus.DISABLED, LANDED.plusSeconds(1));
        keep(older);
        keep(newer);

        // when
        done(older);

        // then
        assertThat(left()).containsExactly(newer);

        // when
        done(newer);

        // then
        assertThat(left()).isEmpty();
    }

    @Test
    void keepsTheReasonOfAFailure_untilTheFlowLandsAgain() {
        // given
        var projectId = TestProjects.insert(database);
        var flowId = flow(projectId);
        var older = new Publication(flowId, FlowStatus.ENABLED, LANDED);
        var newer = new Publication(flowId, FlowStatus.ENABLED, LANDED.plusSeconds(1));
        keep(older);

        // when
        Waiting.await(database.inTransaction(tx -> store.fail(tx, older, "no room")));

        // then it is not published again, and is reported
        assertThat(left()).isEmpty();
        assertThat(ofProject(projectId))
                .extracting(Publications.PendingPublication::failure)
                .containsExactly(Optional.of("no room"));

        // when
        keep(newer);
        Waiting.await(database.inTransaction(tx -> store.fail(tx, older, "late")));

        // then
        assertThat(left()).containsExactly(newer);
        assertThat(ofProject(projectId))
                .extracting(Publications.PendingPublication::failure)
                .containsExactly(Optional.empty());
    }

    @Test
    void namesAFlowWhoseTriggerCannotBeEnabled_untilItIsEnabled() {
        // given a published flow that is disabled
        var projectId = TestProjects.insert(database);
        var flowId = flow(projectId);
        var wanted = new Publication(flowId, FlowStatus.ENABLED, LANDED);
        keep(wanted);
        Waiting.await(database.query("""
                insert into flow_version (id, created, updated, flow_id, display_name, trigger, valid, agent_ids,
                  connection_ids, state, notes)
                values ($1, now(), now(), $1, 'Hourly', '', true, '{}', '{}', 'LOCKED', '[]')
                """, flowId));
        Waiting.await(database.query("update flow set published_version_id = id where id = $1", flowId));

        // when
        Waiting.await(database.inTransaction(tx -> store.fail(tx, wanted, "no such minute")));

        // then
        assertThat(ofProject(projectId))
                .extracting(Publications.PendingPublication::externalId)
                .containsExactly(flowId);

        // when
        Waiting.await(database.query("update flow set status = 'ENABLED' where id = $1", flowId));

        // then
        assertThat(ofProject(projectId)).isEmpty();
    }

    @Test
    void forgetsAFlowThatIsADraftInTheNextDefinition() {
        // given
        var projectId = TestProjects.insert(database);
        var draft = new Publication(flow(projectId), FlowStatus.ENABLED, LANDED);
        var live = new Publication(flow(projectId), FlowStatus.ENABLED, LANDED);
        keep(draft);
        keep(live);

        // when
        Waiting.await(database.inTransaction(tx -> store.forget(tx, projectId, List.of(draft.flowId()))));

        // then
        assertThat(ofProject(projectId))
                .extracting(Publications.PendingPublication::flowId)
                .containsExactly(live.flowId());
    }

    private List<Publications.PendingPublication> ofProject(String projectId) {
        return Waiting.await(database.read(tx -> store.ofProject(tx, projectId)));
    }

    private void keep(Publication publication) {
        var by = new Principal.SignedInUser("ada", "platform", PlatformRole.ADMIN);
        Waiting.await(database.inTransaction(tx -> store.insert(tx, by, List.of(publication))));
    }

    private void done(Publication publication) {
        Waiting.await(database.inTransaction(tx -> store.delete(tx, publication)));
    }

    private List<Publication> left() {
        return Waiting.await(database.read(tx -> store.left(tx, true))).stream()
                .map(PublicationStore.PendingPublication::publication)
                .toList();
    }

    private static String flow(String projectId) {
        var id = Ids.next();
        Waiting.await(database.query("""
            insert into flow (id, created, updated, project_id, external_id, status, operation_status)
            values ($1, now(), now(), $2, $1, 'DISABLED', 'NONE')
            """, id, projectId));
        return id;
    }
}
