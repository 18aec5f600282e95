package io.millrace.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/**
 * The one ordered list of packages, top to bottom (style, section 5): a package imports only packages below itself.
 * Packages of one line are independent of each other.
 */
final class Arrows {
    private static final List<List<String>> LEVELS = levels("""
            app.cli
            app.cli.remote
            app.cli.command
            app
            app.module
            integration.console
            integration.alert
            integration.diagnosis
            integration.issue
            integration.failure
            integration.activity
            integration.backup
            integration.privacy
            integration.badge
            integration.event
            integration.release.push
            integration.release
            integration.git
            integration.mcp
            integration.mcp.tool
            integration.mcp.protocol
            integration.live
            integration.analytics
            engine.agent
            engine.action
            engine.webhook
            engine.run.shard
            engine.run.replay
            engine.run.query
            engine.run.waitpoint
            engine.run.recovery
            engine.run.retention
            engine.run.ending
            engine.run.start
            engine.run.program
            engine.run.store
            engine.run.actor
            engine.run.admission
            engine.run.flowtest
            engine.run.redecide
            engine.run.step
            engine.run.journal
            engine.run.plan
            engine.run
            engine.run.log
            engine.run.machine
            engine.agent.machine, engine.agent.outside
            engine.trigger
            engine.trigger.schedule, engine.trigger.event
            authoring.agent
            authoring.knowledge
            authoring.importer
            authoring.importer.n8n
            authoring.importer.n8n.node
            authoring.importer.n8n.step
            authoring.importer.n8n.graph, authoring.importer.n8n.expression
            authoring.template
            authoring.table
            authoring.table.event, authoring.table.cell
            authoring.upgrade
            authoring.flow.limit, authoring.flow.sample, authoring.flow.use
            authoring.flow
            authoring.flow.warning
            authoring.flow.agent
            authoring.flow.editor
            authoring.flow.version
            authoring.flow.step, authoring.flow.testcase
            authoring.folder
            workspace.authorizationserver
            workspace.scim
            workspace.embedding
            workspace.invitation
            workspace.variable
            workspace.connection
            workspace.connection.credential
            workspace.oauth
            workspace.usage
            workspace.model, workspace.web
            workspace.model.format
            workspace.aiprovider, workspace.secretmanager
            workspace.project.alert, workspace.project.member
            workspace.project
            piece.feed, piece.request
            piece.builtin, piece.npm
            piece.openapi
            piece.builtin.table, piece.builtin.mail, piece.builtin.schedule
            piece.builtin.data, piece.builtin.date, piece.builtin.http, piece.builtin.store, piece.builtin.subflow, piece.builtin.webhook, piece.builtin.appevent, piece.builtin.teams, piece.builtin.ai, piece.builtin.text
            piece.builtin.action
            piece.catalogue
            piece.tag
            piece.input
            piece
            piece.model
            piece.property
            piece.store
            piece.file
            account.signon, account.issuer
            account.identity.signin, account.identity.user, account.identity.provisioning
            account.identity
            account.identity.apikey
            account.mail
            account.platform
            account.audit
            account.sealing
            sandbox.program
            sandbox.python, sandbox.npm
            sandbox.code.pool, sandbox.code.compiler, sandbox.node, sandbox.document
            sandbox.node.process
            sandbox.node.network
            sandbox.node.call
            sandbox.node.watch
            sandbox.code.process
            sandbox.code
            sandbox.code.worker
            sandbox.isolation, sandbox.backoff, sandbox.share
            sandbox.expression
            sandbox.expression.formula
            sandbox.expression.closure
            sandbox.expression.parser
            sandbox.expression.evaluator
            sandbox.expression.syntax
            sandbox.expression.value
            base.cluster, base.monitoring, base.idempotency
            base.backup
            base.persistence.postgres, base.persistence.migration, base.http.document
            base.http.page, base.http.server
            base.http, base.persistence, base.net
            base.http.socket
            base.http.body, base.persistence.connection, base.persistence.row, base.persistence.statement
            base.secret
            base.access
            base.bus
            base.cache
            base.config
            base.otlp
            base.log, base.metrics, base.trace
            base.coding, base.tls
            base.core.input, base.core.text, base.core.memory
            base.core
            """);

    private Arrows() {}

    /** Every package of the list, without the common prefix, top to bottom. */
    static List<String> packages() {
        return LEVELS.stream().flatMap(List::stream).toList();
    }

    /** One line for each area, top to bottom: its name, and its packages in their order. */
    static List<String> areas() {
        var areas = new LinkedHashMap<String, StringJoiner>();
        for (var level : LEVELS) {
            var area = areaOf(level.getFirst());
            var names = level.stream()
                    .map(name -> name.equals(area) ? name : name.substring(area.length() + 1))
                    .collect(Collectors.joining(", "));
            areas.computeIfAbsent(area, _ -> new StringJoiner(" > ")).add(names);
        }
        return areas.entrySet().stream()
                .map(area -> area.getKey() + ": " + area.getValue())
                .toList();
    }

    /** First word of a package: the area that it belongs to. */
    private static String areaOf(String module) {
        return module.split("\\.", 2)[0];
    }

    /** True if the list contains the class's module. */
    static boolean isPlaced(JavaClass type) {
        return isRoot(type) || levelOf(MainClasses.moduleOf(type)) >= 0;
    }

    /** Reason why a class must not use another; empty if it may. */
    static Optional<String> objection(JavaClass from, JavaClass to) {
        if (isRoot(from) || from.getPackageName().equals(to.getPackageName())) {
            return Optional.empty();
        }
        var upper = MainClasses.moduleOf(from);
        var lower = MainClasses.moduleOf(to);
        return !isRoot(to) && levelOf(upper) < levelOf(lower)
                ? Optional.empty()
                : Optional.of(upper + " stands below or beside " + (lower.isEmpty() ? "the root" : lower));
    }

    /** True if a package is on a higher level than another one, both without the common prefix. */
    static boolean isAbove(String upper, String lower) {
        return upper.isEmpty() || levelOf(upper) < levelOf(lower);
    }

    /** The root package is above all others: it builds the modules. */
    private static boolean isRoot(JavaClass type) {
        return MainClasses.moduleOf(type).isEmpty();
    }

    private static int levelOf(String module) {
        for (var level = 0; level < LEVELS.size(); level++) {
            if (LEVELS.get(level).contains(module)) {
                return level;
            }
        }
        return -1;
    }

    private static List<List<String>> levels(String lines) {
        return lines.lines()
                .map(line -> Arrays.asList(line.strip().split(", ", -1)))
                .toList();
    }
}
