package io.millrace.flow;

import io.millrace.piece.TriggerSpec;
import java.util.Optional;

/**
 * Says whether a version's trigger can be enabled. Runs begin by webhook or by hand; a trigger that would never fire is
 * refused instead of being enabled in vain.
 */
public final class TriggerGate {
    private final PieceFinder pieces;

    public TriggerGate(PieceFinder pieces) {
        this.pieces = pieces;
    }

    /** Why the trigger cannot be enabled; empty when it can. */
    Optional<String> refusal(FlowVersion version) {
        if (!(version.steps().trigger() instanceof PieceTriggerStep trigger)) {
            return Optional.of("the flow has no trigger");
        }
        var strategy = trigger.pieceName()
                .flatMap(name -> trigger.pieceVersion().flatMap(exact -> pieces.find(name, exact)))
                .flatMap(piece ->
                        trigger.triggerName().map(name -> piece.triggers().get(name)))
                .map(found -> found.spec().strategy());
        if (strategy.isEmpty()) {
            return Optional.of("the trigger's piece is not installed");
        }
        return switch (strategy.get()) {
            case WEBHOOK, MANUAL -> Optional.empty();
            case POLLING, APP_WEBHOOK ->
                Optional.of("triggers of the kind "
                        + strategy.map(TriggerSpec.Strategy::name).get() + " are not started by this release");
        };
    }
}
