package io.millrace.piece.catalogue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Published pieces that are not installed but available. Implemented by a higher module. */
public interface InstallablePieces {
    /** Returns whether naming a piece installs it; otherwise an administrator must install it. */
    boolean comeWhenNamed();

    /** All of them, most used first. */
    Future<List<CatalogueEntry>> all();

    /** Complete description of a piece in an exact version; empty where only the package contains it. */
    Future<Optional<ObjectNode>> details(String name, String version);

    static InstallablePieces none() {
        return new InstallablePieces() {
            @Override
            public boolean comeWhenNamed() {
                return false;
            }

            @Override
            public Future<List<CatalogueEntry>> all() {
                return Future.succeededFuture(List.of());
            }

            @Override
            public Future<Optional<ObjectNode>> details(String name, String version) {
                return Future.succeededFuture(Optional.empty());
            }
        };
    }
}
