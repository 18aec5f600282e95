package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.engine.run.Waitpoints;
import io.millrace.engine.run.step.SingleActions;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.ai.AiActions;
import io.millrace.piece.builtin.ai.AiPiece;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.file.FileMessages;
import io.millrace.piece.input.FileNames;
import io.millrace.piece.input.FileValue;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Performs actions of the AI piece for code of pieces (contract agents 3.1), which has no access to API keys. With a waitpoint
 * the caller is answered immediately, and the waiting step gets the result; without one, the caller waits.
 */
public final class AiExecution {
    private static final Logger LOG = LoggerFactory.getLogger(AiExecution.class);

    private static final long DEADLINE_MS = 30_000;

    /**
     * Longest wait of a step for its answer (contract agents 3.1); a caller without a waiting step has the timeout of a flow.
     */
    private static final Duration WAITING_MAX = Duration.ofMinutes(60);

    private final Bus bus;
    private final AgentStarts starts;
    private final SingleActions actions;
    private final AiActions ai;
    private final AgentDelivery delivery;
    private final Duration timeout;
    private final InstantSource clock;

    /** @param timeout longest time of an action for which no step waits (AP_FLOW_TIMEOUT_SECONDS) */
    AiExecution(
            Bus bus,
            AgentStarts starts,
            SingleActions actions,
            AiActions ai,
            AgentDelivery delivery,
            Duration timeout,
            InstantSource clock) {
        this.bus = bus;
        this.starts = starts;
        this.actions = actions;
        this.ai = ai;
        this.delivery = delivery;
        this.timeout = timeout;
        this.clock = clock;
    }

    /** Answer to the caller: {@code {requestId}}, with the outcome unless a waitpoint receives it. */
    Future<ObjectNode> execute(Principal.Engine by, AiOrder order) {
        var requestId = Ids.next();
        var told = Json.object().put("requestId", requestId);
        if (order.waitpointId().isEmpty()) {
            return perform(by, order, requestId, timeout).map(outcome -> (ObjectNode) told.setAll(outcome));
        }
        var waitpointId = order.waitpointId().get();
        var end = clock.instant().plus(WAITING_MAX);
        return starts.placeOf(by.projectId(), order.flowRunId(), waitpointId)
                .compose(_ -> bus.ask(new Waitpoints.WaitUntil(order.flowRunId(), waitpointId, end), DEADLINE_MS))
                .map(_ -> {
                    performFor(waitpointId, by, order, requestId);
                    return told;
                });
    }

    /**
     * Delivers the outcome to the waiting step; if this server stops first, the step ends with the timeout of its waitpoint.
     */
    private void performFor(String waitpointId, Principal.Engine by, AiOrder order, String requestId) {
        perform(by, order, requestId, WAITING_MAX)
                .compose(outcome -> delivery.hand(order.flowRunId(), waitpointId, outcome))
                .onFailure(cause -> LOG.warn(
                        "lost the result of a step of run {}; its waitpoint will time out: {}",
                        order.flowRunId(),
                        cause.getMessage()));
    }

    /** {@code {output: {answer, conversation?}}}, or {@code {failure}}. */
    private Future<ObjectNode> perform(Principal.Engine by, AiOrder order, String requestId, Duration longest) {
        return files(by.projectId(), order)
                .compose(files -> {
                    var props = order.props().deepCopy();
                    var name = order.action().equals("generateImage") ? "inputImages" : "files";
                    var given = props.putArray(name);
                    files.forEach(file -> given.addObject().set("file", file.toJson()));
                    var action = new SingleActions.Parameters(
                            PieceScope.of(by.platformId()),
                            by.projectId(),
                            AiPiece.NAME,
                            AiPiece.VERSION,
                            order.action(),
                            props);
                    return ai.perform(
                            order.action(), actions.surroundings(action, requestId, longest), order.conversation());
                })
                .timeout(longest.toMillis(), TimeUnit.MILLISECONDS)
                .map(answer -> {
                    var outcome = Json.object();
                    var output = outcome.putObject("output");
                    output.set("answer", answer.answer());
                    answer.conversation().ifPresent(kept -> output.set("conversation", kept));
                    return outcome;
                })
                .recover(AiExecution::failed);
    }

    /** Maps a failure: a failure of the action is an outcome, a temporary failure of the server is not. */
    private static Future<ObjectNode> failed(Throwable failure) {
        return switch (failure) {
            case PieceFailure refused -> outcomeOf(refused.getMessage());
            case TimeoutException _ -> outcomeOf("The action took too long");
            case ApiException refused when !ApiException.isUnavailable(refused) -> outcomeOf(refused.text());
            default -> Future.failedFuture(failure);
        };
    }

    private static Future<ObjectNode> outcomeOf(String failure) {
        return Future.succeededFuture(Json.object().put("failure", failure));
    }

    private Future<List<FileValue>> files(String projectId, AiOrder order) {
        var found = new ArrayList<FileValue>();
        var read = Future.<Void>succeededFuture();
        for (var file : order.files()) {
            read = read.compose(_ -> bus.ask(new FileMessages.ReadOfProject(projectId, file.fileId()), DEADLINE_MS))
                    .map(content -> {
                        var name = file.fileName().orElse(content.file().fileName());
                        found.add(new FileValue(name, FileNames.extensionOfName(name), content.data()));
                        return null;
                    });
        }
        return read.map(found);
    }
}
