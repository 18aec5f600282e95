package io.millrace.piece.builtin.teams;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundHttp;
import io.millrace.piece.AppEvents;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceSpec;
import io.millrace.piece.PieceWorld;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.ComposedPiece;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.catalogue.PieceCategory;
import io.millrace.piece.property.OptionsQuestion;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyDefinitions;
import io.millrace.piece.property.PropertyType;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Microsoft Teams Bot (contract agents 8.2): an application of one tenant that sends and receives messages. */
public final class TeamsBotPiece implements ComposedPiece {
    private static final String NAME = "@activepieces/piece-microsoft-teams-bot";

    private static final Map<String, Property> CREDENTIALS = Props.of(
            Props.named("appId", Props.shortText("App ID", true).describedAs("Application (client) id of the bot.")),
            Props.named(
                    "appSecret",
                    Property.of(PropertyType.SECRET_TEXT, "App Secret", true)
                            .describedAs("Client secret of the application.")),
            Props.named(
                    "tenantId", Props.shortText("Tenant ID", true).describedAs("Directory (tenant) id of the bot.")));

    private final TeamsDirectory directory;
    private final PieceWorld world;
    private final AppEvents events;
    private final Piece parts;

    public TeamsBotPiece(OutboundHttp http, TeamsPlaces places, PieceWorld world, InstantSource clock) {
        var calls = new MicrosoftCalls(http, places);
        this.directory = new TeamsDirectory(calls, places);
        this.world = world;
        this.events = new TeamsBotEvents(new BotFrameworkKeys(http, places, clock), places, clock);
        var spec = new PieceSpec(
                NAME,
                "Microsoft Teams Bot",
                "Sends messages to channels of Microsoft Teams as a bot, and receives messages for it.",
                "https://cdn.activepieces.com/pieces/microsoft-teams.png",
                List.of("millrace"),
                List.of(PieceCategory.COMMUNICATION.name()),
                List.of("0.1.0"),
                PropertyDefinitions.customAuth(CREDENTIALS));
        this.parts = BuiltinPiece.of(
                spec, List.of(new SendChannelMessage(calls, places)), List.of(new NewMessage(calls, places)));
    }

    @Override
    public Piece parts() {
        return parts;
    }

    @Override
    public Optional<AppEvents> appEvents() {
        return Optional.of(events);
    }

    @Override
    public Future<Optional<String>> validate(ObjectNode value) {
        try {
            return directory
                    .check(BotAccount.of(value))
                    .map(Optional.<String>empty())
                    .recover(failure -> failure instanceof PieceFailure refused
                            ? Future.succeededFuture(Optional.of(refused.getMessage()))
                            : Future.failedFuture(failure));
        } catch (PieceFailure refused) {
            return Future.succeededFuture(Optional.of(refused.getMessage()));
        }
    }

    @Override
    public Future<ObjectNode> options(OptionsQuestion question) {
        var isTeam = question.property().equals(SendChannelMessage.TEAM);
        if (!question.step().equals(SendChannelMessage.NAME)
                || !isTeam && !question.property().equals(SendChannelMessage.CHANNEL)) {
            return ComposedPiece.super.options(question);
        }
        return world.resolved(question.projectId(), NAME, question.input(), false)
                .compose(input -> choices(input, isTeam))
                .map(question::dropDown)
                .recover(failure -> failure instanceof PieceFailure refused
                        ? Future.succeededFuture(disabled(refused.getMessage()))
                        : Future.failedFuture(failure));
    }

    private Future<List<Property.Option>> choices(ObjectNode input, boolean ofTeams) {
        if (!input.hasNonNull("auth")) {
            return Future.failedFuture(PieceFailure.of("Choose a connection first"));
        }
        if (!ofTeams && input.path(SendChannelMessage.TEAM).asText().isEmpty()) {
            return Future.failedFuture(PieceFailure.of("Choose a team first"));
        }
        var account = BotAccount.of(input.path("auth"));
        return ofTeams
                ? directory.teams(account)
                : directory.channels(
                        account, input.path(SendChannelMessage.TEAM).asText());
    }

    private static ObjectNode disabled(String why) {
        var answer = Json.object().put("type", PropertyType.DROPDOWN.name());
        answer.putObject("options")
                .put("disabled", true)
                .put("placeholder", why)
                .putArray("options");
        return answer;
    }
}
