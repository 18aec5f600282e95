package io.millrace.engine.run.plan;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.flow.editor.PiecePin;
import io.millrace.authoring.flow.step.ActionStep;
import io.millrace.authoring.flow.step.CodeStep;
import io.millrace.authoring.flow.step.LoopStep;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.RouterStep;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.authoring.flow.version.VersionState;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.machine.PlanStep;
import io.millrace.engine.run.machine.RunPlan;
import io.millrace.engine.run.machine.StepReach;
import io.millrace.engine.run.plan.CompiledFlow.CompiledStep;
import io.millrace.engine.run.plan.CompiledFlow.Work;
import io.millrace.engine.trigger.TriggerHook;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.expression.InputTemplate;
import io.millrace.sandbox.npm.BadPackage;
import io.millrace.sandbox.program.CodePrograms;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * Compiles a flow version: numbers the steps and links them to a plan.
 *
 * <p>A missing part does not stop the compilation: such a step fails when a run reaches it (contract flows-and-engine
 * 6.6, 9.4), because the steps before it must still take effect.
 */
public final class PlanCompiler {
    private final PieceCatalogue pieces;
    private final WorkCompiler work;

    PlanCompiler(PieceCatalogue pieces, ProgramSource code, InputTruncation truncation) {
        this.pieces = pieces;
        this.work = new WorkCompiler(pieces, code, truncation);
    }

    public PlanCompiler(PieceCatalogue pieces, CodePrograms programs, InputTruncation truncation) {
        this(pieces, (scope, step, use) -> program(programs, scope, step, use), truncation);
    }

    /**
     * Creates a compiler of versions that are read, not executed: it installs no packages, so a code step of a draft may
     * lack its program.
     */
    public static PlanCompiler forReading(PieceCatalogue pieces, CodePrograms programs, InputTruncation truncation) {
        return new PlanCompiler(
                pieces, (scope, step, _) -> program(programs, scope, step, VersionUse.PUBLISHED), truncation);
    }

    /** Creates a compiler without programs: a code step of its plans cannot be executed. */
    public static PlanCompiler withoutCode(PieceCatalogue pieces, InputTruncation truncation) {
        return new PlanCompiler(
                pieces,
                (_, _, _) -> Future.succeededFuture(CodeProgram.broken("no program is compiled", List.of())),
                truncation);
    }

    /** State of a version that decides whether the packages of its code steps are installed. */
    enum VersionUse {
        /** Its steps have their programs since the publication: nothing is installed. */
        PUBLISHED,
        /** Locked, but not published now: packages that no publication installed are installed. */
        LOCKED,
        /** Its steps get the packages that a publication would install now. */
        DRAFT;

        private static VersionUse of(FlowVersion version, boolean published) {
            if (version.state() == VersionState.DRAFT) {
                return DRAFT;
            }
            return published ? PUBLISHED : LOCKED;
        }
    }

    /** A missing program fails when the step runs, like source that does not compile. */
    private static Future<CodeProgram> program(CodePrograms programs, PieceScope scope, CodeStep step, VersionUse use) {
        var platformId = scope.platformId().orElse("");
        var found = switch (use) {
            case PUBLISHED -> programs.find(platformId, step.source());
            case LOCKED -> programs.findOrPrepare(platformId, step.source());
            case DRAFT -> programs.prepare(platformId, step.source());
        };
        return found.recover(failure -> failure instanceof BadPackage refused
                ? Future.succeededFuture(CodeProgram.broken(refused.getMessage(), List.of()))
                : Future.failedFuture(failure));
    }

    @FunctionalInterface
    interface ProgramSource {
        Future<CodeProgram> program(PieceScope scope, CodeStep step, VersionUse use);
    }

    /** Pinned pieces that the platform does not have, or has only a substitute for. */
    List<PiecePin> missing(PieceScope scope, FlowVersion version) {
        return PiecePin.of(version.steps()).stream()
                .filter(pin -> !pieces.has(scope, pin.name(), pin.version()))
                .toList();
    }

    /** Returns whether a version pins a piece of which the platform has neither a version nor a substitute. */
    boolean lacksAPiece(PieceScope scope, FlowVersion version) {
        return PiecePin.of(version.steps()).stream()
                .anyMatch(pin -> pieces.find(scope, pin.name(), pin.version()).isEmpty());
    }

    /**
     * Compiles a draft or a published version.
     *
     * @param scope piece scope of the project's platform
     */
    public Future<CompiledFlow> compile(FlowVersion version, String projectId, PieceScope scope) {
        return compile(version, projectId, scope, true);
    }

    /**
     * Compiles a version.
     *
     * @param scope piece scope of the project's platform
     * @param published false for a locked version that is not the published one of its flow
     */
    Future<CompiledFlow> compile(FlowVersion version, String projectId, PieceScope scope, boolean published) {
        var pass = new Pass(scope, VersionUse.of(version, published));
        var first = pass.sequence(version.steps().actions(), List.of());
        return Future.all(List.copyOf(pass.works)).map(works -> {
            var steps = new ArrayList<CompiledStep>();
            for (var index = 0; index < pass.heads.size(); index++) {
                var head = pass.heads.get(index);
                steps.add(new CompiledStep(
                        head.name(), head.displayName(), head.type(), head.loops(), works.resultAt(index)));
            }
            var plan = new RunPlan(planned(pass, steps), first);
            return new CompiledFlow(
                    version.flowId(),
                    version.id(),
                    projectId,
                    version.displayName(),
                    plan,
                    trigger(version, scope),
                    List.copyOf(steps),
                    null);
        });
    }

    /** Names and places of the steps, in the order of their numbers. */
    private record Head(ActionStep step, List<String> loops, int next, List<Integer> sequences) {
        String name() {
            return step.name();
        }

        String displayName() {
            return step.displayName();
        }

        String type() {
            return step.type().name();
        }
    }

    private final class Pass {
        private final PieceScope scope;
        private final VersionUse use;
        private final List<Head> heads = new ArrayList<>();
        private final List<Future<Work>> works = new ArrayList<>();

        private Pass(PieceScope scope, VersionUse use) {
            this.scope = scope;
            this.use = use;
        }

        /** Numbers a sequence; returns the number of its first step, or NONE. */
        int sequence(List<ActionStep> steps, List<String> loops) {
            var next = RunPlan.NONE;
            for (var step : steps.reversed()) {
                next = add(step, loops, next);
            }
            return next;
        }

        private int add(ActionStep step, List<String> loops, int next) {
            var within = step instanceof LoopStep ? append(loops, step.name()) : loops;
            var sequences = sequencesOf(step).stream()
                    .map(sequence -> sequence(sequence, within))
                    .toList();
            heads.add(new Head(step, loops, next, sequences));
            works.add(work.compile(step, scope, use));
            return heads.size() - 1;
        }

        /** A router may have more or fewer children than branches (contract flows-and-engine 4.7). */
        private static List<List<ActionStep>> sequencesOf(ActionStep step) {
            if (!(step instanceof RouterStep router)) {
                return step.sequences();
            }
            var children = new ArrayList<>(router.children());
            while (children.size() < router.branches().size()) {
                children.add(List.of());
            }
            return children.subList(0, router.branches().size());
        }

        private static List<String> append(List<String> loops, String name) {
            var longer = new ArrayList<>(loops);
            longer.add(name);
            return List.copyOf(longer);
        }
    }

    private static List<PlanStep> planned(Pass pass, List<CompiledStep> compiled) {
        var steps = new ArrayList<PlanStep>();
        for (var index = 0; index < pass.heads.size(); index++) {
            steps.add(planned(index, pass.heads.get(index), compiled.get(index).work()));
        }
        return steps;
    }

    private static PlanStep planned(int index, Head head, Work work) {
        var sequences = head.sequences();
        return switch (head.step()) {
            case PieceStep step ->
                new PlanStep.ExecutableAction(
                        index,
                        step.name(),
                        head.next(),
                        step.isSkipped(),
                        reach(work, step.failsOnCrash()),
                        new PlanStep.ExecutableAction.FailurePolicy(
                                step.failsOnCrash() && reach(work, true) == StepReach.OUTSIDE,
                                step.retriesOnFailure(),
                                step.continuesOnFailure()),
                        sequences.get(0),
                        sequences.get(1));
            case CodeStep step ->
                new PlanStep.ExecutableAction(
                        index,
                        step.name(),
                        head.next(),
                        step.isSkipped(),
                        reach(work, step.failsOnCrash()),
                        new PlanStep.ExecutableAction.FailurePolicy(
                                step.failsOnCrash(), step.retriesOnFailure(), step.continuesOnFailure()),
                        sequences.get(0),
                        sequences.get(1));
            case LoopStep step ->
                new PlanStep.ExecutableLoop(index, step.name(), head.next(), step.isSkipped(), sequences.getFirst());
            case RouterStep step ->
                new PlanStep.ExecutableRouter(
                        index,
                        step.name(),
                        head.next(),
                        step.isSkipped(),
                        step.executionType().equals("EXECUTE_FIRST_MATCH"),
                        sequences);
        };
    }

    /** A worker cannot reach the outside; a Node.js process has a network. */
    private static StepReach reach(Work work, boolean failsOnCrash) {
        return switch (work) {
            case Work.OfPiece(var action, var _, var _, var _)
            when action.spec().pure() -> StepReach.PURE;
            case Work.OfCode(var program, var _)
            when program.form() != CodeProgram.Form.NODE && !failsOnCrash -> StepReach.ISOLATED;
            default -> StepReach.OUTSIDE;
        };
    }

    private CompiledFlow.Trigger trigger(FlowVersion version, PieceScope scope) {
        var trigger = version.steps().trigger();
        return new CompiledFlow.Trigger(
                trigger.name(),
                trigger.displayName(),
                trigger.type().name(),
                TriggerHook.compile(trigger, scope, pieces::find),
                trigger.deliveryId().map(PlanCompiler::template).orElse(null));
    }

    private static InputTemplate template(String text) {
        return InputTemplate.compile(TextNode.valueOf(text));
    }
}
