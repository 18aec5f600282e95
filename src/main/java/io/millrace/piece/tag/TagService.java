package io.millrace.piece.tag;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Handles {@link Tags}. The routes restrict changes to administrators. */
public final class TagService implements BusService {
    private final Database database;
    private final InstantSource clock;
    private final TagStore store = new TagStore();

    public TagService(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Tags.ListOf.class, this::list);
        bus.serve(Tags.Save.class, this::save);
        bus.serve(Tags.Assign.class, this::assign);
        bus.serve(Tags.OfPieces.class, ask -> database.read(tx -> store.ofPieces(tx, ask.platformId())));
    }

    public Future<List<String>> piecesOf(Tx tx, String platformId, List<String> tags) {
        return store.findPieces(tx, platformId, tags);
    }

    /** Names of the pieces of one tag; empty when there is no such tag. */
    public Future<Optional<List<String>>> piecesOf(Tx tx, String platformId, String tag) {
        return store.findPiecesOfTag(tx, platformId, tag);
    }

    private Future<Page<Tag>> list(Tags.ListOf ask) {
        return database.read(tx -> store.page(tx, ask.by().platform(), ask.page()));
    }

    private Future<Tag> save(Tags.Save ask) {
        return database.inTransaction(
                tx -> store.save(tx, new Tag(Ids.next(), now(), now(), ask.by().platform(), ask.name())));
    }

    private Future<Nothing> assign(Tags.Assign ask) {
        var platformId = ask.by().platform();
        var pieceNames = ask.pieceNames().stream().distinct().toList();
        var tags = ask.tags().stream()
                .distinct()
                .sorted()
                .map(name -> new Tag(Ids.next(), now(), now(), platformId, name))
                .toList();
        return database.inTransaction(tx -> store.saveAll(tx, tags)
                        .compose(_ -> store.clear(tx, platformId, pieceNames))
                        .compose(_ -> store.assign(
                                tx,
                                platformId,
                                pieceNames,
                                tags.stream().map(Tag::name).toList())))
                .map(Nothing.DONE);
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
