package io.millrace.engine.run.recovery;

import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.engine.run.RunDurableWrite;
import io.millrace.engine.run.start.RunIngest;
import io.millrace.engine.run.store.RunOwnerStore;

public final class RunTakeoverService implements BusService {
    private final Database database;
    private final String nodeId;
    private final RunIngest ingest;
    private final RunOwnerStore store = new RunOwnerStore();

    public RunTakeoverService(Database database, String nodeId, RunIngest ingest) {
        this.database = database;
        this.nodeId = nodeId;
        this.ingest = ingest;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(
                RunTakeovers.AskHistory.class,
                ask -> database.read(tx -> store.recentEnds(tx, nodeId, ask.suspectedFrom()))
                        .map(recent -> new SuspectTrial.History(recent.late(), recent.suspects())));
        bus.serve(
                RunTakeovers.Acquit.class,
                ask -> database.read(tx -> store.acquit(tx, ask.run(), ask.suspectedFrom())));
        bus.serve(
                RunTakeovers.EndLeasesOfTheGone.class,
                _ -> database.read(tx -> store.endLeasesOfTheGone(tx, nodeId, LeaseEpochs.LEASE, LeaseEpochs.SILENCE)));
        bus.serve(
                RunTakeovers.CountCrashes.class,
                count -> database.read(tx -> store.countCrashes(tx, nodeId, count.suspectedFrom())));
        bus.serve(
                RunTakeovers.Claim.class,
                claim -> database.durably(
                        RunDurableWrite.TAKEN_OVER,
                        () -> database.inTransaction(
                                tx -> store.claimOrphans(tx, nodeId, claim.limit(), claim.passedOver()))));
        bus.serve(
                RunTakeovers.AcceptBacklog.class,
                _ -> database.durably(RunDurableWrite.ACCEPTED, () -> database.inTransaction(ingest::acceptBacklog)));
        bus.serve(
                RunTakeovers.FindOwned.class,
                find -> database.read(tx -> store.owned(tx, nodeId, find.after(), find.limit())));
    }
}
