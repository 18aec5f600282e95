package io.millrace.integration.badge;

import io.millrace.account.identity.user.Badge;
import io.millrace.account.identity.user.Users;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.editor.PieceFinder;
import io.millrace.authoring.flow.step.Step;
import io.millrace.authoring.flow.step.StepType;
import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.piece.catalogue.PieceCategory;
import io.millrace.piece.catalogue.PieceScope;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Awards badges to the owners of flows, and answers {@link Users.FindBadges}. */
public final class BadgeService implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(BadgeService.class);

    private static final String WEBHOOK_PIECE = "@activepieces/piece-webhook";
    private static final long DEADLINE_MS = 10_000;
    private static final Set<String> AI =
            Set.of(PieceCategory.ARTIFICIAL_INTELLIGENCE.name(), PieceCategory.UNIVERSAL_AI.name());

    private static final Map<Long, String> BY_ACTIVE_FLOWS =
            new TreeMap<>(Map.of(1L, "first-build", 5L, "on-a-roll", 10L, "automation-addict", 50L, "cant-stop"));

    private final Database database;
    private final PieceFinder pieces;
    private final InstantSource clock;
    private final BadgeStore store = new BadgeStore();
    private Bus bus;

    public BadgeService(Database database, PieceFinder pieces, InstantSource clock) {
        this.database = database;
        this.pieces = pieces;
        this.clock = clock;
    }

    @Override
    public void open(Bus openedOn) {
        bus = openedOn;
        bus.on(Flows.Published.class, notice -> honour(notice.flow(), deeds(notice.flow())));
        bus.on(Flows.Activated.class, notice -> honour(notice.flow(), Future.succeededFuture(List.of())));
        bus.serve(Users.FindBadges.class, this::find);
    }

    /** The next notice compensates for a lost one. */
    private void honour(Flows.FlowWithVersion flow, Future<List<String>> deeds) {
        var ownerId = flow.flow().ownerId();
        if (ownerId == null) {
            return;
        }
        deeds.compose(done -> database.inTransaction(tx -> store.countActiveFlows(tx, ownerId)
                        .compose(count -> {
                            var names = new ArrayList<>(done);
                            BY_ACTIVE_FLOWS.forEach((wanted, name) -> {
                                if (count >= wanted) {
                                    names.add(name);
                                }
                            });
                            return store.award(tx, ownerId, names, clock.instant());
                        })))
                .onSuccess(awarded -> awarded.forEach(
                        name -> bus.publish(new Users.BadgeAwarded(flow.flow().projectId(), ownerId, name))))
                .onFailure(cause -> LOG.warn("cannot award badges: {}", cause.getMessage()));
    }

    private Future<List<String>> deeds(Flows.FlowWithVersion flow) {
        return bus.ask(new Flows.PieceScopeOf(flow.flow().id()), DEADLINE_MS).map(scope -> deeds(flow, scope));
    }

    private List<String> deeds(Flows.FlowWithVersion flow, PieceScope scope) {
        var steps = flow.version().steps().steps();
        var deeds = new ArrayList<String>();
        if (steps.getFirst().setting("pieceName").filter(WEBHOOK_PIECE::equals).isPresent()) {
            deeds.add("webhook-wizard");
        }
        if (steps.stream().anyMatch(step -> step.type() == StepType.CODE)) {
            deeds.add("coding-chad");
        }
        if (steps.stream().anyMatch(step -> isOfAi(step, scope))) {
            deeds.add("agentic-genius");
        }
        return deeds;
    }

    private boolean isOfAi(Step step, PieceScope scope) {
        return step.setting("pieceName")
                .flatMap(name -> step.setting("pieceVersion").flatMap(version -> pieces.find(scope, name, version)))
                .filter(piece -> piece.spec().categories().stream().anyMatch(AI::contains))
                .isPresent();
    }

    private Future<List<Badge>> find(Users.FindBadges ask) {
        return database.inTransaction(
                tx -> store.awardForRuns(tx, ask.userId()).compose(_ -> store.find(tx, ask.userId())));
    }
}
