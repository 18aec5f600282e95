package io.millrace.authoring.agent;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.persistence.BusService;
import io.millrace.piece.catalogue.PieceQuery;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.millrace.piece.model.ModelSelector;
import io.millrace.piece.model.Models;
import io.millrace.workspace.project.Projects;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Handles {@link Agents.Draft}: lets the model of a platform's chats design an agent. Stores nothing. Each draft costs
 * money, so drafts are rate-limited per user and minute, counted on each node.
 */
public final class AgentDraftService implements BusService {
    /** Timeout of the model call, shorter than that of API requests. */
    private static final long MODEL_MS_MAX = 25_000;

    private static final long DEADLINE_MS = 10_000;
    private static final int DRAFTS_MAX = 20;
    private static final Duration PERIOD = Duration.ofMinutes(1);

    /** Limit on counted users; above it the oldest entry is evicted. */
    private static final int USERS_MAX = 10_000;

    private final Bus bus;
    private final Models models;
    private final InstantSource clock;
    /** Times of drafts by user; used on one event loop only. */
    private final Map<String, Deque<Instant>> drafts = new LinkedHashMap<>();

    public AgentDraftService(Bus bus, Models models, InstantSource clock) {
        this.bus = bus;
        this.models = models;
        this.clock = clock;
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(Agents.Draft.class, this::draft);
    }

    private Future<JsonNode> draft(Agents.Draft ask) {
        if (!admits(ask.by().actingUser())) {
            return Future.failedFuture(ApiException.of(
                    ErrorCode.VALIDATION,
                    "expected at most " + DRAFTS_MAX + " drafts of a user in a minute; try again later"));
        }
        var selector = new ModelSelector(Optional.empty(), Optional.empty(), Optional.empty());
        return offers(ask.projectId())
                .compose(offers -> models.choose(ask.projectId(), selector)
                        .compose(choice -> models.ask(
                                        ask.projectId(),
                                        choice,
                                        AgentDrafts.question(ask.prompt(), offers),
                                        MODEL_MS_MAX)
                                .map(answer -> (JsonNode)
                                        AgentDrafts.read(answer, choice, offers).toJson())))
                .recover(failure -> Future.failedFuture(AgentDrafts.refused(failure)));
    }

    private boolean admits(String userId) {
        var now = clock.instant();
        var mine = drafts.computeIfAbsent(userId, _ -> new ArrayDeque<>());
        while (!mine.isEmpty() && !mine.getFirst().isAfter(now.minus(PERIOD))) {
            mine.removeFirst();
        }
        if (mine.size() >= DRAFTS_MAX) {
            return false;
        }
        mine.addLast(now);
        if (drafts.size() > USERS_MAX) {
            drafts.remove(drafts.keySet().iterator().next());
        }
        return true;
    }

    private Future<Map<String, AgentDrafts.Offer>> offers(String projectId) {
        var query = new PieceQuery(null, Set.of(), null, null, PieceQuery.SuggestionType.ACTION);
        return bus.ask(new Projects.Find(projectId), DEADLINE_MS)
                .compose(project -> bus.ask(
                        new Pieces.Find(
                                query, PieceScope.of(project.platformId()), Optional.of(projectId), Pieces.Extras.NONE),
                        DEADLINE_MS))
                .map(AgentDrafts::offers);
    }
}
