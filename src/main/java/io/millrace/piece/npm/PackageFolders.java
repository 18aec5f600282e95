package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Nothing;
import io.millrace.base.bus.WorkerThreads;
import io.millrace.base.persistence.Database;
import io.millrace.piece.npm.InstalledPiece.PackageType;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.Optional;

/** Folders of packages on this node: unpacked at the installation, and restored from the same bytes if they are missing. */
final class PackageFolders {
    private static final int INSTALLED_AT_ONCE_MAX = 2;

    /** Longer than the timeout of the package manager. */
    private static final Duration INSTALL_LONGEST = Duration.ofMinutes(7);

    private final Vertx vertx;

    /** Dedicated threads: the package manager may take minutes and must not block others. */
    private final WorkerExecutor installing;

    private final PackageInstaller installer;
    private final Database database;
    private final InstalledPieceStore store;

    PackageFolders(Vertx vertx, PackageInstaller installer, Database database, InstalledPieceStore store) {
        this.vertx = vertx;
        this.installing = WorkerThreads.open(vertx, "package-installer", INSTALLED_AT_ONCE_MAX, INSTALL_LONGEST);
        this.installer = installer;
        this.database = database;
        this.store = store;
    }

    Future<String> newest(String name) {
        return installing.executeBlocking(() -> installer.newest(name), false);
    }

    Future<PackageInstaller.InstalledPackage> unpack(
            String group, PackageId id, PackageSource source, Optional<String> lock) {
        return installing.executeBlocking(() -> installer.install(group, id, source, lock), false);
    }

    /** Restores the folder of an installed package from the same bytes. */
    Future<Void> restore(InstalledPiece installed) {
        return database.read(tx -> store.content(tx, installed.id()))
                .map(Optional::orElseThrow)
                .compose(content -> unpack(
                                installed.group(), installed.packageId(), source(installed, content), content.lock())
                        .compose(restored -> storeLock(installed, content, restored)));
    }

    private static PackageSource source(InstalledPiece installed, PackageContent content) {
        return installed.packageType() == PackageType.REGISTRY
                ? new PackageSource.Registry(Optional.of(installed.integrity()))
                : new PackageSource.Archive(content.archive().orElseThrow());
    }

    /** Records the lock file of a package that was installed before lock files were recorded. */
    private Future<Void> storeLock(
            InstalledPiece installed, PackageContent content, PackageInstaller.InstalledPackage restored) {
        return content.lock().isEmpty() && restored.lock().isPresent()
                ? database.inTransaction(
                        tx -> store.addLock(tx, installed.id(), restored.lock().get()))
                : Future.succeededFuture();
    }

    Future<ObjectNode> translations(InstalledPiece piece) {
        var folder = installer.folder(piece.group(), piece.packageId(), piece.integrity());
        return vertx.executeBlocking(() -> Translations.read(folder), false);
    }

    Future<Nothing> remove(String group, PackageId id, String integrity) {
        return vertx.executeBlocking(
                () -> {
                    installer.remove(group, id, integrity);
                    return Nothing.DONE;
                },
                false);
    }
}
