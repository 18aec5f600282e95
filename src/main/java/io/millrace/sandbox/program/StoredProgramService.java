package io.millrace.sandbox.program;

import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.InstantSource;

public final class StoredProgramService implements BusService {
    private final Database database;
    private final InstantSource clock;
    private final NativeListener natives;
    private final CodeProgramStore store = new CodeProgramStore();

    public StoredProgramService(Database database, InstantSource clock, NativeListener natives) {
        this.database = database;
        this.clock = clock;
        this.natives = natives;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(StoredPrograms.Find.class, find -> database.read(tx -> store.find(tx, find.key())));
        bus.serve(StoredPrograms.FindNativeFiles.class, find -> database.read(tx -> store.nativeFiles(tx, find.key())));
        bus.serve(StoredPrograms.FindOfWorkers.class, find -> database.read(tx -> store.ofWorkers(tx, find.count())));
        bus.serve(
                StoredPrograms.Keep.class,
                keep -> database.inTransaction(tx -> store.insert(tx, keep.key(), keep.program(), clock.instant())
                        .compose(isNew -> isNew ? told(tx, keep) : Future.succeededFuture())
                        .compose(_ -> store.find(tx, keep.key()))));
    }

    private Future<Void> told(Tx tx, StoredPrograms.Keep keep) {
        return keep.program()
                .program()
                .nativePackages()
                .map(packages -> natives.installed(tx, packages.platformId(), packages.names()))
                .orElseGet(Future::succeededFuture);
    }
}
