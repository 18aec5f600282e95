package io.millrace.authoring.upgrade;

import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.piece.catalogue.PieceChanges;
import java.util.List;

/** Requests about upgrades of pieces. Handled by {@link PieceUpgradeService}. */
public sealed interface PieceUpgrades {
    /**
     * Upgrades every step of these flows from one version of the piece to the other, in the drafts. Fails with
     * ENTITY_NOT_FOUND when a version is unavailable or a flow belongs to another project.
     *
     * @param dryRun true to only report the changes
     */
    record Upgrade(
            Principal by,
            String projectId,
            String pieceName,
            String from,
            String to,
            List<String> flowIds,
            boolean dryRun)
            implements PieceUpgrades, BusRequest<Outcome> {
        public Upgrade {
            flowIds = List.copyOf(flowIds);
        }
    }

    record Outcome(PieceChanges changes, List<OfFlow> flows) {
        public Outcome {
            flows = List.copyOf(flows);
        }
    }

    /**
     * A flow and its steps of the piece.
     *
     * @param applied true if its draft was changed
     */
    record OfFlow(String flowId, String displayName, List<StepUpgrade> steps, boolean applied) {
        public OfFlow {
            steps = List.copyOf(steps);
        }
    }
}
