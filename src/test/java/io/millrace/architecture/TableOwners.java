package io.millrace.architecture;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Owner of each table: the package that writes its rows. A statement names tables of its own package or of packages
 * below (style, section 5).
 */
final class TableOwners {
    private static final Map<String, String> OWNERS = owners("""
            integration.alert: failed_flow
            integration.diagnosis: server_setting
            integration.issue: run_failure flow_issue flow_issue_day
            integration.activity: event_listener project_event
            integration.badge: user_badge
            integration.event: event_destination event_delivery run_event
            integration.release: project_release release_publication project_definition git_removal
            integration.git: git_repo
            integration.mcp: mcp_token_reader mcp_server mcp_custom_server mcp_session mcp_project_context
            integration.live: editor_lock editor_presence
            integration.analytics: analytics_report
            engine.agent: agent_run agent_run_record
            engine.action: action_run
            engine.run: run signed_links run_step ended_run ended_run_other waitpoint run_dedupe run_backlog start_key step_test run_permit log_dictionary run_retention run_replay run_attempt approval_task approval_decision
            engine.trigger: trigger_source trigger_fire trigger_listener trigger_tally
            engine.trigger.event: trigger_event
            authoring.agent: agent
            authoring.knowledge: knowledge_file knowledge_chunk
            authoring.template: template
            authoring.table: data_table table_field table_record table_cell
            authoring.table.event: table_webhook table_event
            authoring.flow.limit: flow_limit
            authoring.flow: flow flow_version
            authoring.flow.testcase: flow_test
            authoring.folder: folder
            workspace.authorizationserver: mcp_client mcp_grant
            workspace.embedding: signing_key
            workspace.invitation: user_invitation
            workspace.variable: variable
            workspace.connection.credential: app_connection global_connection_project
            workspace.oauth: oauth_app
            workspace.usage: model_usage model_budget model_spending model_limit
            workspace.aiprovider: ai_provider ai_tool
            workspace.secretmanager: secret_manager
            workspace.project.alert: alert
            workspace.project: project project_plan project_role project_member concurrency_pool
            piece.feed: piece_feed
            piece.request: piece_request
            piece.npm: installed_piece
            sandbox.program: code_program
            piece.tag: tag piece_tag
            piece.store: store_entry store_receipt
            piece.file: file file_leftover
            account.signon: saml_key saml_request
            account.issuer: issuer_key
            account.identity: password_failure user_identity platform_user user_record
            account.identity.signin: one_time_code
            account.identity.apikey: api_key
            account.mail: mail
            account.platform: platform platform_configuration picture
            account.audit: audit_event audit_chain
            account.sealing: cluster_secret
            base.cluster: node change_log cluster_message housekeeping_round
            base.idempotency: request_key
            """);

    private TableOwners() {}

    /** Every table and view that has an owner. */
    static Set<String> tables() {
        return OWNERS.keySet();
    }

    static Set<String> packages() {
        return Set.copyOf(OWNERS.values());
    }

    /** Reason why a package must not name a table; empty if it may. */
    static Optional<String> objection(String module, String table) {
        var owner = OWNERS.get(table);
        return owner.equals(module) || Arrows.isAbove(module, owner)
                ? Optional.empty()
                : Optional.of(module + " stands below or beside " + owner + ", which has the table " + table);
    }

    private static Map<String, String> owners(String lines) {
        var owners = new HashMap<String, String>();
        var twice = new HashSet<String>();
        lines.lines()
                .map(line -> line.split(": ", 2))
                .forEach(line -> Arrays.stream(line[1].split(" ", -1))
                        .filter(table -> owners.put(table, line[0]) != null)
                        .forEach(twice::add));
        if (!twice.isEmpty()) {
            throw new IllegalStateException("tables with two owners: " + twice);
        }
        return Map.copyOf(owners);
    }
}
