package io.millrace.workspace.project;

import io.millrace.account.platform.Platform.PieceChoice;
import io.millrace.account.platform.PlatformService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.piece.catalogue.PieceChoices;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Pieces that the platform does not hide and the plan of the project allows (contract admin-api 3.1, 18.1). */
public final class OfferedPieces implements PieceChoices {
    private final Database database;
    private final PlatformService platforms;
    private final ProjectStore store = new ProjectStore();

    public OfferedPieces(Database database, PlatformService platforms) {
        this.database = database;
        this.platforms = platforms;
    }

    @Override
    public Future<Predicate<String>> offered(
            Optional<String> platformId, Optional<String> projectId, boolean includeHidden) {
        if (platformId.isEmpty()) {
            return Future.succeededFuture(_ -> true);
        }
        return database.read(tx -> ofPlatform(tx, platformId.get(), includeHidden)
                .compose(
                        byPlatform -> ofProject(tx, platformId.get(), projectId).map(byPlatform::and)));
    }

    private Future<Predicate<String>> ofPlatform(Tx tx, String platformId, boolean includeHidden) {
        return includeHidden
                ? Future.succeededFuture(_ -> true)
                : platforms.find(tx, platformId).map(platform -> chosen(platform.pieces()));
    }

    private static Predicate<String> chosen(PieceChoice choice) {
        var names = Set.copyOf(choice.filteredNames());
        return switch (choice.filterBehavior()) {
            case ALLOWED -> names::contains;
            case BLOCKED -> name -> !names.contains(name);
        };
    }

    private Future<Predicate<String>> ofProject(Tx tx, String platformId, Optional<String> projectId) {
        return projectId
                .map(id -> store.find(tx, id))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()))
                .map(found -> found.filter(project -> project.platformId().equals(platformId))
                        .<Predicate<String>>map(project -> project.plan()::allows)
                        .orElse(_ -> true));
    }
}
