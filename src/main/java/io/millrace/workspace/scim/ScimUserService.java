package io.millrace.workspace.scim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.provisioning.DirectoryAccounts;
import io.millrace.account.identity.provisioning.DirectoryPerson;
import io.millrace.account.identity.provisioning.DirectoryUser;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.ConstraintViolation;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.workspace.project.member.ProjectPeople;
import io.millrace.workspace.scim.ScimQuery.ScimPage;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

public final class ScimUserService implements BusService {
    /** Maximum number of users for filters other than by name or external id, which are evaluated in memory. */
    private static final int JUDGED_MAX = 50_000;

    private final Database database;
    private final DirectoryAccounts accounts;
    private final ProjectPeople people;
    private final Supplier<String> publicUrl;

    public ScimUserService(
            Database database, DirectoryAccounts accounts, ProjectPeople people, Supplier<String> publicUrl) {
        this.database = database;
        this.accounts = accounts;
        this.people = people;
        this.publicUrl = publicUrl;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(ScimUsers.ListOf.class, this::list);
        bus.serve(
                ScimUsers.Get.class,
                ask -> database.read(tx -> shown(tx, ask.by().platform(), ask.id())));
        bus.serve(ScimUsers.Create.class, this::create);
        bus.serve(ScimUsers.Replace.class, this::replace);
        bus.serve(ScimUsers.Patch.class, this::patch);
        bus.serve(ScimUsers.Delete.class, this::delete);
    }

    private Future<ScimPage> list(ScimUsers.ListOf ask) {
        var query = ask.query();
        var platformId = ask.by().platform();
        var userName = query.filter().flatMap(filter -> filter.required("userName"));
        var externalId = query.filter().flatMap(filter -> filter.required("externalId"));
        return database.read(tx -> query.filter().isPresent()
                ? accounts.list(tx, platformId, userName, externalId, 0, JUDGED_MAX)
                        .compose(users -> resources(tx, users))
                        .map(query::page)
                : accounts.count(tx, platformId, userName, externalId)
                        .compose(total -> accounts.list(
                                        tx, platformId, userName, externalId, query.offset(), query.count())
                                .compose(users -> resources(tx, users))
                                .map(resources -> new ScimPage(total, query.startIndex(), resources))));
    }

    private Future<List<ObjectNode>> resources(Tx tx, List<DirectoryUser> users) {
        return people.teamsOf(tx, users.stream().map(DirectoryUser::id).toList())
                .map(teams -> {
                    var byUser = teams.stream().collect(Collectors.groupingBy(ProjectPeople.Team::userId));
                    return users.stream()
                            .map(user -> ScimUser.toJson(user, byUser.getOrDefault(user.id(), List.of()), address()))
                            .toList();
                });
    }

    private String address() {
        return publicUrl.get() + ScimRoutes.USERS;
    }

    private Future<ObjectNode> shown(Tx tx, String platformId, String id) {
        return accounts.find(tx, platformId, id)
                .map(found -> required(found, id))
                .compose(user -> resources(tx, List.of(user)))
                .map(List::getFirst);
    }

    private static DirectoryUser required(Optional<DirectoryUser> found, String id) {
        return found.orElseThrow(() -> ScimFailures.unknown("User", id));
    }

    private Future<ObjectNode> create(ScimUsers.Create ask) {
        var platformId = ask.by().platform();
        var person = ScimUser.read(ask.resource(), PlatformRole.MEMBER);
        return database.inTransaction(
                        tx -> accounts.create(tx, platformId, person).compose(id -> shown(tx, platformId, id)))
                .recover(ScimUserService::taken);
    }

    private Future<ObjectNode> replace(ScimUsers.Replace ask) {
        return change(ask.by().platform(), ask.id(), resource -> ScimUser.read(ask.resource(), roleOf(resource)));
    }

    private static PlatformRole roleOf(JsonNode resource) {
        return ScimUser.read(resource, PlatformRole.MEMBER).role();
    }

    private Future<ObjectNode> patch(ScimUsers.Patch ask) {
        return change(
                ask.by().platform(),
                ask.id(),
                resource -> ScimUser.read(ScimPatch.apply(resource, ask.operations()), roleOf(resource)));
    }

    private Future<Nothing> delete(ScimUsers.Delete ask) {
        return change(
                        ask.by().platform(),
                        ask.id(),
                        resource -> ScimUser.read(resource.put("active", false), roleOf(resource)))
                .map(Nothing.DONE);
    }

    private Future<ObjectNode> change(String platformId, String id, Function<ObjectNode, DirectoryPerson> changed) {
        return database.inTransaction(tx -> accounts.findToChange(tx, platformId, id)
                        .map(found -> required(found, id))
                        .compose(user -> accounts.update(
                                tx, platformId, user, changed.apply(ScimUser.toJson(user, List.of(), address()))))
                        .compose(_ -> shown(tx, platformId, id)))
                .recover(ScimUserService::taken);
    }

    private static <T> Future<T> taken(Throwable failure) {
        var isTaken = failure instanceof ConstraintViolation
                || failure instanceof ApiException refused && refused.code() == ErrorCode.EXISTING_USER;
        return Future.failedFuture(
                isTaken ? ScimFailures.taken("another user has this name, address or external id") : failure);
    }
}
