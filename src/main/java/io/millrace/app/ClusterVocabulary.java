package io.millrace.app;

import io.millrace.account.identity.signin.SignInLimit;
import io.millrace.account.identity.user.Users;
import io.millrace.account.sealing.Sealing;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.limit.FlowLimits;
import io.millrace.authoring.table.Tables;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.cluster.ClusterVerticle.Vocabulary;
import io.millrace.engine.action.ActionRuns;
import io.millrace.engine.agent.AgentNotices;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.Waitpoints;
import io.millrace.engine.run.admission.PermitClaims;
import io.millrace.engine.trigger.Triggers;
import io.millrace.integration.live.LiveNotices;
import io.millrace.integration.mcp.McpNotices;
import io.millrace.piece.catalogue.Pieces;
import io.millrace.workspace.connection.Connections;
import io.millrace.workspace.project.Projects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Messages between nodes: entries of the database's change log, and cluster notices. */
final class ClusterVocabulary {
    private ClusterVocabulary() {}

    static Vocabulary whole() {
        return new Vocabulary(
                Map.of(
                        "flow",
                        Flows.Changed::new,
                        "limit",
                        FlowLimits.Changed::new,
                        "project",
                        Projects.Changed::new,
                        "piece",
                        _ -> new Pieces.RowsChanged(),
                        "connection",
                        _ -> new Connections.ValuesChanged(),
                        "secret",
                        _ -> new Sealing.KeysChanged()),
                notices());
    }

    private static List<Class<? extends ClusterNotice>> notices() {
        var notices = new ArrayList<Class<? extends ClusterNotice>>(List.of(
                Users.BadgeAwarded.class,
                Runs.TakenIn.class,
                Runs.CallerWaits.class,
                Runs.AnsweredElsewhere.class,
                Runs.Announced.class,
                Runs.Shown.class,
                Runs.Ended.class,
                Runs.Retried.class,
                Runs.TellAgain.class,
                Runs.ProgressedElsewhere.class,
                Runs.StepTestBegun.class,
                Runs.StepTested.class,
                Waitpoints.CameFurther.class,
                PermitClaims.Wanted.class,
                PermitClaims.Freed.class,
                Tables.Changed.class,
                Triggers.Rearmed.class,
                SignInLimit.Counted.class));
        notices.addAll(AgentNotices.all());
        notices.addAll(ActionRuns.notices());
        notices.addAll(McpNotices.all());
        notices.addAll(LiveNotices.all());
        return notices;
    }
}
