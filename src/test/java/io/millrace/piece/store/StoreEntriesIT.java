package io.millrace.piece.store;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.access.Gate;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.RowBound;
import io.millrace.support.ModuleServer;
import io.millrace.support.MovableClock;
import io.millrace.support.TestDatabase;
import io.millrace.support.TestProjects;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Key-value entries, separate for each project. */
class StoreEntriesIT {
    private static final int VALUE_BYTES_MAX = 1024;
    private static final long DEADLINE_MS = 20_000;
    private static final MovableClock CLOCK = new MovableClock();

    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    private static Vertx vertx = opened.vertx();
    private static Database database = opened.database();
    private static Bus bus;
    private static ModuleServer server;

    private final String projectId = TestProjects.insert(database);

    @BeforeAll
    static void open() {
        bus = new Bus(vertx);
        bus.serve(Gate.Identify.class, StoreEntriesIT::identified);
        server = ModuleServer.start(
                vertx,
                bus,
                List.of(new StoreService(database, VALUE_BYTES_MAX, new RowBound(100, "AP_STORE_ENTRIES_MAX"), CLOCK)),
                List.of(new StoreEntryRoutes(bus)));
    }

    /** Tokens of this test contain their project. */
    private static Future<Principal> identified(Gate.Identify ask) {
        return Future.succeededFuture(
                ask.token().equals("key")
                        ? new Principal.Service(Ids.next(), Ids.next(), Ids.next())
                        : new Principal.Engine(ask.token(), Ids.next(), null));
    }

    @Test
    void servesCodeThatWorksForTheProject_overHttp() {
        var own = new String[] {"Authorization", "Bearer " + projectId};
        var other = new String[] {"Authorization", "Bearer " + TestProjects.insert(database)};
        var path = "/v1/store-entries";

        var kept = server.post(path, "{'key':'flow_f/k é','value':{'a':[1]}}", own);
        var read = server.get(path + "?key=flow_f/k%20%C3%A9", own);

        assertThat(kept.statusCode()).isEqualTo(200);
        assertThat(ModuleServer.json(read)).isEqualTo(ModuleServer.json(kept));
        assertThat(ModuleServer.json(read).path("projectId").asText()).isEqualTo(projectId);
        assertThat(ModuleServer.json(read).at("/value/a/0").asInt()).isEqualTo(1);
        assertThat(server.get(path + "?key=flow_f/k%20%C3%A9", other).statusCode())
                .isEqualTo(404);
        assertThat(ModuleServer.json(server.post(path, "{'key':'none'}", own))
                        .path("value")
                        .isNull())
                .isTrue();
        assertThat(server.get(path, own).statusCode()).isEqualTo(400);
        assertThat(server.get(path + "?key=" + "k".repeat(129), own).statusCode())
                .isEqualTo(400);
        assertThat(server.post(path, "{'value':1}", own).statusCode()).isEqualTo(400);
        assertThat(server.post(path, "{'key':'big','value':'" + "x".repeat(VALUE_BYTES_MAX) + "'}", own)
                        .statusCode())
                .isEqualTo(413);
        assertThat(server.get(path + "?key=k").statusCode()).isIn(401, 403);
        assertThat(server.get(path + "?key=k", "Authorization", "Bearer key").statusCode())
                .isEqualTo(403);
        assertThat(server.delete(path + "?key=none", own).statusCode()).isEqualTo(200);
        assertThat(server.delete(path + "?key=none", own).statusCode()).isEqualTo(200);
        assertThat(server.get(path + "?key=none", own).statusCode()).isEqualTo(404);
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @Test
    void givesBackWhatWasPut() {
        for (var text :
                List.of("{\"z\":1,\"a\":[1.50,null,true]}", "\"\\u0000 ü 😀\"", "null", "12345678901234567890")) {
            var value = Json.trusted(text);

            put("key", value);

            assertThat(find("key").map(StoreEntry::value).map(Json::text)).contains(Json.text(value));
        }
    }

    @Test
    void writesOverAnEarlierValue_andStaysTheSameEntry() {
        var first = put("key", TextNode.valueOf("one"));
        CLOCK.advance(Duration.ofMinutes(1));

        var second = put("key", TextNode.valueOf("two"));

        assertThat(second.id()).isEqualTo(first.id());
        assertThat(second.created()).isEqualTo(first.created());
        assertThat(second.updated()).isEqualTo(first.updated().plus(Duration.ofMinutes(1)));
        assertThat(find("key")).contains(second);
    }

    @Test
    void losesNoChange_whenManyChangeAValueAtOnce() {
        var changes = IntStream.range(0, 50)
                .mapToObj(number -> change("counter", "receipt" + number, 1))
                .toList();

        changes.forEach(Waiting::await);

        assertThat(find("counter").map(StoreEntry::value)).contains(IntNode.valueOf(50));
    }

    @Test
    void returnsTheFirstAnswer_whenAChangeIsRepeated() {
        var first = await(change("counter", "once", 5));
        await(change("counter", "another", 1));

        var again = await(change("counter", "once", 5));

        assertThat(first).contains(IntNode.valueOf(5));
        assertThat(again).isEqualTo(first);
        assertThat(find("counter").map(StoreEntry::value)).contains(IntNode.valueOf(6));
    }

    @Test
    void changesNothing_whenAnEditRefuses() {
        put("counter", IntNode.valueOf(1));
        var refused = new IllegalStateException("not this one");

        var changed = bus.ask(
                new StoreEntries.Change(projectId, "counter", "receipt", value -> {
                    throw refused;
                }),
                DEADLINE_MS);

        assertThatThrownBy(() -> await(changed)).hasMessage("not this one");
        assertThat(find("counter").map(StoreEntry::value)).contains(IntNode.valueOf(1));
        assertThat(await(change("counter", "receipt", 1))).contains(IntNode.valueOf(2));
    }

    @Test
    void removesOnce_whenARemovalIsRepeated() {
        put("counter", IntNode.valueOf(1));
        var removal = new StoreEntries.Change(projectId, "counter", "once", _ -> new StoreEdit.EditResult(null, null));
        await(bus.ask(removal, DEADLINE_MS));
        put("counter", IntNode.valueOf(2));

        var again = await(bus.ask(removal, DEADLINE_MS));

        assertThat(again).isEmpty();
        assertThat(find("counter").map(StoreEntry::value)).contains(IntNode.valueOf(2));
    }

    @Test
    void removesAValue_andForgetsReceiptsInTime() {
        await(change("counter", "old", 1));
        CLOCK.advance(Duration.ofDays(8));

        var removed = await(bus.ask(
                new StoreEntries.Change(projectId, "counter", "new", value -> new StoreEdit.EditResult(null, null)),
                DEADLINE_MS));

        assertThat(removed).isEmpty();
        assertThat(find("counter")).isEmpty();
        assertThat(await(change("counter", "old", 1))).contains(IntNode.valueOf(1));
    }

    /** Adds to a number. */
    private Future<Optional<JsonNode>> change(String key, String receipt, int added) {
        return bus.ask(
                new StoreEntries.Change(
                        projectId,
                        key,
                        receipt,
                        value -> StoreEdit.EditResult.to(
                                IntNode.valueOf(value.map(JsonNode::asInt).orElse(0) + added))),
                DEADLINE_MS);
    }

    @Test
    void doesNotMixProjects() {
        var other = TestProjects.insert(database);

        put("key", TextNode.valueOf("mine"));

        assertThat(await(bus.ask(new StoreEntries.Find(other, "key"), DEADLINE_MS)))
                .isEmpty();
    }

    @Test
    void removesAValue_orNothing() {
        put("key", TextNode.valueOf("one"));

        await(bus.ask(new StoreEntries.Delete(projectId, "key"), DEADLINE_MS));
        await(bus.ask(new StoreEntries.Delete(projectId, "key"), DEADLINE_MS));

        assertThat(find("key")).isEmpty();
    }

    @Test
    void takesKeysOfUpTo128Characters() {
        put("k".repeat(128), TextNode.valueOf("one"));

        assertThat(find("k".repeat(128))).isPresent();
        for (var key : List.of("", "k".repeat(129), "a\0b")) {
            assertRefused(ErrorCode.INVALID_INPUT, () -> put(key, TextNode.valueOf("one")));
            assertRefused(ErrorCode.INVALID_INPUT, () -> find(key));
        }
    }

    @Test
    void takesValuesUpToTheLimit_countedInBytesOfJson() {
        put("key", TextNode.valueOf("x".repeat(VALUE_BYTES_MAX - 2)));

        assertRefused(ErrorCode.BODY_TOO_LARGE, () -> put("key", TextNode.valueOf("x".repeat(VALUE_BYTES_MAX - 1))));
        assertRefused(ErrorCode.BODY_TOO_LARGE, () -> put("key", TextNode.valueOf("ü".repeat(VALUE_BYTES_MAX / 2))));
        assertThat(find("key").orElseThrow().value().asText()).hasSize(VALUE_BYTES_MAX - 2);
    }

    @Test
    void refusesAProjectThatHasGone() {
        assertRefused(
                ErrorCode.ENTITY_NOT_FOUND,
                () -> await(bus.ask(new StoreEntries.Put(Ids.next(), "key", TextNode.valueOf("one")), DEADLINE_MS)));
    }

    @Test
    void goesWithItsProject() {
        put("key", TextNode.valueOf("one"));

        TestProjects.remove(database, projectId);

        assertThat(find("key")).isEmpty();
    }

    private StoreEntry put(String key, JsonNode value) {
        return await(bus.ask(new StoreEntries.Put(projectId, key, value), DEADLINE_MS));
    }

    private Optional<StoreEntry> find(String key) {
        return await(bus.ask(new StoreEntries.Find(projectId, key), DEADLINE_MS));
    }

    private static void assertRefused(ErrorCode code, Runnable action) {
        assertThatThrownBy(action::run)
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(refused.code()).isEqualTo(code));
    }
}
