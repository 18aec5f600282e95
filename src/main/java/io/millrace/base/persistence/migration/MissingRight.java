package io.millrace.base.persistence.migration;

import io.millrace.base.config.BadSetting;
import io.millrace.base.core.ApiException;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.connection.JdbcConnections;
import io.vertx.pgclient.PgException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Start failures that a database administrator can fix, with the statements to run. The SQLSTATE identifies the failure
 * and the catalogue the missing right; messages of PostgreSQL are localised and are not parsed.
 */
final class MissingRight {
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    /** A search path without a usable schema: the role may not even use {@code public}. */
    private static final String NO_SCHEMA = "3F000";

    private static final String READ_ONLY_TRANSACTION = "25006";
    private static final int CAUSES_MAX = 10;

    /** Objects of the schema that the role does not own, without those of extensions. */
    private static final String FOREIGN = """
            select (select count(*) from pg_class c
                     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
                       and not pg_has_role(c.relowner, 'USAGE')
                       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e'))
                 + (select count(*) from pg_proc p
                     where p.pronamespace = 'public'::regnamespace
                       and not pg_has_role(p.proowner, 'USAGE')
                       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e'))
            """;

    private static final String RIGHTS = "select has_schema_privilege('public', 'CREATE')"
            + " and has_schema_privilege('public', 'USAGE') as may_create, (" + FOREIGN + ") as foreign_objects";

    private static final String READ_ONLY = """
            select pg_is_in_recovery() as is_standby,
                   exists (select from pg_db_role_setting s, unnest(s.setconfig) as setting
                            where s.setrole = current_user::regrole
                              and s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
                              and setting = 'default_transaction_read_only=on') as is_of_role
            """;

    private record Rights(boolean mayCreate, long foreignObjects) {
        static Rights read(ResultSet row) throws SQLException {
            return new Rights(row.getBoolean("may_create"), row.getLong("foreign_objects"));
        }
    }

    private record ReadOnly(boolean isStandby, boolean isOfRole) {
        static ReadOnly read(ResultSet row) throws SQLException {
            return new ReadOnly(row.getBoolean("is_standby"), row.getBoolean("is_of_role"));
        }
    }

    private record Refusal(String state, String message) {}

    private final DatabaseSettings settings;
    private final Refusal refusal;

    private MissingRight(DatabaseSettings settings, Refusal refusal) {
        this.settings = settings;
        this.refusal = refusal;
    }

    /** The failure as a reason to stop the start; empty when it has another cause. Blocks, because it asks the database. */
    static Optional<BadSetting> of(Throwable failure, DatabaseSettings settings) {
        return refusal(failure).flatMap(refusal -> new MissingRight(settings, refusal).explained());
    }

    private static Optional<Refusal> refusal(Throwable failure) {
        var cause = failure;
        for (var depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            switch (cause) {
                case SQLException refused -> {
                    return Optional.of(
                            new Refusal(String.valueOf(refused.getSQLState()), String.valueOf(refused.getMessage())));
                }
                case PgException refused -> {
                    return Optional.of(new Refusal(
                            String.valueOf(refused.getSqlState()), String.valueOf(refused.getErrorMessage())));
                }
                default -> cause = cause.getCause();
            }
        }
        return Optional.empty();
    }

    private Optional<BadSetting> explained() {
        return switch (refusal.state()) {
            case INSUFFICIENT_PRIVILEGE, NO_SCHEMA -> Optional.of(new BadSetting(lacking(statements())));
            case READ_ONLY_TRANSACTION -> Optional.of(new BadSetting(readOnly()));
            default -> Optional.empty();
        };
    }

    private String lacking(List<String> statements) {
        return "the database role " + settings.user() + " lacks a right in database " + settings.database() + " ("
                + refusal.message().lines().findFirst().orElse("") + "); "
                + (statements.isEmpty()
                        ? "grant it as the owner of the database, or use a role that owns it"
                        : "run there as its owner: " + String.join(" ", statements));
    }

    /** Statements that grant the role its missing rights; none if the right is of another kind. */
    private List<String> statements() {
        var role = quoted(settings.user());
        var statements = new ArrayList<String>();
        try (var connection = JdbcConnections.open(settings, "millrace-rights")) {
            var rights = JdbcConnections.all(connection, RIGHTS, Rights::read).getFirst();
            if (!rights.mayCreate()) {
                statements.add("GRANT CREATE, USAGE ON SCHEMA public TO " + role + ";");
            }
            if (rights.foreignObjects() > 0) {
                statements.add(ownership());
            }
        } catch (SQLException refused) {
            switch (String.valueOf(refused.getSQLState())) {
                case INSUFFICIENT_PRIVILEGE ->
                    statements.add("GRANT CONNECT ON DATABASE " + quoted(settings.database()) + " TO " + role + ";");
                case NO_SCHEMA -> statements.add("CREATE SCHEMA public AUTHORIZATION " + role + ";");
                default -> {
                    // The message of the first failure is all that is known.
                }
            }
        } catch (ApiException away) {
            // The same.
        }
        return statements;
    }

    private String ownership() {
        var role = literal(settings.user());
        return "DO $$ DECLARE change text; BEGIN FOR change IN"
                + " SELECT format('ALTER %s %s OWNER TO %I', CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN"
                + " 'MATERIALIZED VIEW' ELSE 'TABLE' END, c.oid::regclass, " + role + ") FROM pg_class c"
                + " WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')"
                + " AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')"
                + " UNION ALL SELECT format('ALTER ROUTINE %s OWNER TO %I', p.oid::regprocedure, " + role
                + ") FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace"
                + " AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')"
                + " LOOP EXECUTE change; END LOOP; END $$;";
    }

    private String readOnly() {
        var found = "the database " + settings.database() + " is read-only";
        try (var connection = JdbcConnections.open(settings, "millrace-rights")) {
            return found + cure(connection);
        } catch (SQLException | ApiException away) {
            return found + "; configure the primary server";
        }
    }

    private String cure(Connection connection) throws SQLException {
        var readOnly =
                JdbcConnections.all(connection, READ_ONLY, ReadOnly::read).getFirst();
        if (readOnly.isStandby()) {
            return ", because the server is a standby: name the primary server in AP_POSTGRES_URL or AP_POSTGRES_HOST";
        }
        var database = quoted(settings.database());
        return "; run as its owner: "
                + (readOnly.isOfRole()
                        ? "ALTER ROLE " + quoted(settings.user())
                                + " SET default_transaction_read_only = off; ALTER ROLE "
                                + quoted(settings.user()) + " IN DATABASE " + database
                                + " SET default_transaction_read_only = off;"
                        : "ALTER DATABASE " + database + " SET default_transaction_read_only = off;");
    }

    private static String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    private static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
