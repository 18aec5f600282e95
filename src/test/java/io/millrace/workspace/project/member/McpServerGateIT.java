package io.millrace.workspace.project.member;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.access.Gate;
import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.PersistenceVerticle;
import io.millrace.support.TestDatabase;
import io.millrace.support.TestPostgres;
import io.millrace.support.TestProjects;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The token of an MCP server at the gate of projects. */
final class McpServerGateIT {
    private static final long DEADLINE_MS = 10_000;
    private static TestDatabase opened;
    private static Vertx vertx;
    private static Bus bus;
    private static String projectId;
    private static String neighbour;
    private static Principal token;

    @BeforeAll
    static void start() {
        opened = new TestDatabase();
        vertx = TestPostgres.vertx();
        bus = new Bus(vertx);
        await(vertx.deployVerticle(new PersistenceVerticle(bus, List.of(new ProjectGateService(opened.database())))));
        projectId = TestProjects.insert(opened.database());
        neighbour = Ids.next();
        await(opened.database().query("""
                insert into project (id, created, updated, platform_id, owner_id, display_name, type, icon_color,
                  releases_enabled)
                values ($2, now(), now(), $1, $1, 'Neighbour', 'TEAM', 'RED', false)
                """, projectId, neighbour));
        token = new Principal.McpServerToken(Ids.next(), projectId, projectId, projectId);
    }

    @AfterAll
    static void stop() {
        await(vertx.close());
        opened.close();
    }

    private static Nothing enter(String project, Permission permission) {
        return await(bus.ask(new Gate.Enter(token, project, permission), DEADLINE_MS));
    }

    @ParameterizedTest
    @EnumSource(Permission.class)
    void opensItsProject_andNoOtherOfThePlatform(Permission permission) {
        assertThat(enter(projectId, permission)).isEqualTo(Nothing.DONE);
        assertThatThrownBy(() -> enter(neighbour, permission))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.AUTHORIZATION));
    }
}
