package io.millrace.authoring.upgrade;

import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.piece.catalogue.PieceChanges;
import java.util.List;

/** What one may ask of upgrades of pieces. Answered by {@link PieceUpgradeService}. */
public sealed interface PieceUpgrades {
    /**
     * Puts every step of these flows that has the one version of the piece onto the other one, in the drafts. Fails with
     * ENTITY_NOT_FOUND where a version cannot be had or a flow is none of the project's.
     *
     * @param dryRun whether it is only told what would be done
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

    /** What is another in the piece, and what that means for each flow. */
    record Outcome(PieceChanges changes, List<OfFlow> flows) {
        public Outcome {
            flows = List.copyOf(flows);
        }
    }

    /**
     * A flow and its steps of the piece.
     *
     * @param applied whether its draft was changed
     */
    record OfFlow(String flowId, String displayName, List<StepUpgrade> steps, boolean applied) {
        public OfFlow {
            steps = List.copyOf(steps);
        }
    }
}
