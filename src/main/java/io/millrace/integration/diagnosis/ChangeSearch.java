package io.millrace.integration.diagnosis;

import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.run.Run;
import io.millrace.integration.diagnosis.DiagnosisStore.UsedConnection;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds changes between the start of the last successful run and the end of the failed one. */
final class ChangeSearch {
    private static final int CLAIMS_MAX = 50;

    private final Database database;
    private final DiagnosisStore store;

    ChangeSearch(Database database, DiagnosisStore store) {
        this.database = database;
        this.store = store;
    }

    record Versions(Optional<FlowVersion> now, Optional<FlowVersion> before) {}

    /**
     * Result of a search.
     *
     * @param claims those about the failed step first
     * @param ofStep connections of the failed step
     */
    record ChangeReport(List<RunChange> claims, List<UsedConnection> ofStep) {}

    Future<ChangeReport> find(FailedRun failed, Optional<FormerRun> former, Versions versions) {
        var run = failed.run();
        var stepName = failed.stepName();
        var externalIds = versions.now().map(FlowVersion::connectionIds).orElse(List.of());
        var ofStep = versions.now()
                .map(version -> VersionChanges.connections(version, stepName))
                .orElse(List.of());
        var until = failed.endedAt();
        return database.read(tx -> store.connections(tx, run.projectId(), externalIds)
                .compose(connections -> others(tx, failed, former, versions).map(others -> {
                    var claims = new ArrayList<RunChange>();
                    versions.before()
                            .ifPresent(before -> claims.addAll(VersionChanges.between(
                                    run.projectId(), before, versions.now().orElse(before))));
                    connections.forEach(connection -> claim(run, connection, former, until, ofStep, stepName)
                            .ifPresent(claims::add));
                    claims.addAll(others);
                    claims.sort(Comparator.comparing(claim -> !claim.stepName().equals(Optional.of(stepName))));
                    return new ChangeReport(
                            claims.subList(0, Math.min(claims.size(), CLAIMS_MAX)),
                            connections.stream()
                                    .filter(connection -> ofStep.contains(connection.externalId()))
                                    .toList());
                })));
    }

    private Future<List<RunChange>> others(Tx tx, FailedRun failed, Optional<FormerRun> former, Versions versions) {
        if (former.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        var run = failed.run();
        var since = former.get().created();
        var until = failed.endedAt();
        var names = versions.now().map(VersionChanges::variables).orElse(List.of());
        var claims = new ArrayList<RunChange>();
        return store.variables(tx, run.projectId(), names, since, until)
                .compose(variables -> {
                    variables.forEach(variable -> claims.add(new RunChange(
                            RunChange.Kind.VARIABLE,
                            variable.name(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Evidence.variable(run.projectId(), variable.id(), variable.updated()))));
                    return failed.rule()
                            .setting()
                            .map(setting -> store.limit(tx, setting.name(), since, until))
                            .orElseGet(() -> Future.succeededFuture(List.of()));
                })
                .map(limits -> {
                    limits.forEach(limit -> claims.add(new RunChange(
                            RunChange.Kind.SETTING,
                            limit.name(),
                            Optional.empty(),
                            Optional.of(limit.former()),
                            Optional.of(limit.value()),
                            Evidence.setting(limit.name(), limit.changed()))));
                    return claims;
                });
    }

    /** A connection that does not work now is named even without a change since the successful run. */
    private static Optional<RunChange> claim(
            Run run,
            UsedConnection connection,
            Optional<FormerRun> former,
            Instant until,
            List<String> ofStep,
            String stepName) {
        var step = Optional.of(stepName).filter(_ -> ofStep.contains(connection.externalId()));
        var evidence = Evidence.connection(run.projectId(), connection.id(), connection.updated());
        if (!connection.status().equals("ACTIVE")) {
            return Optional.of(new RunChange(
                    RunChange.Kind.CONNECTION_STATUS,
                    connection.displayName(),
                    step,
                    Optional.empty(),
                    Optional.of(connection.status()),
                    evidence));
        }
        var isChanged = former.isPresent()
                && connection.updated().isAfter(former.get().created())
                && !connection.updated().isAfter(until);
        return isChanged
                ? Optional.of(new RunChange(
                        RunChange.Kind.CONNECTION,
                        connection.displayName(),
                        step,
                        Optional.empty(),
                        Optional.empty(),
                        evidence))
                : Optional.empty();
    }
}
