package io.millrace.base.persistence.migration;

import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each migration of a database that has data, with its number and the number of the last one. */
final class MigrationProgress implements Callback {
    private static final Logger LOG = LoggerFactory.getLogger(MigrationProgress.class);

    private final String last = Migrations.newest();
    private boolean hasData;
    private boolean isKnown;

    @Override
    public boolean supports(Event event, Context context) {
        return event == Event.BEFORE_EACH_MIGRATE;
    }

    @Override
    public boolean canHandleInTransaction(Event event, Context context) {
        return true;
    }

    @Override
    public void handle(Event event, Context context) {
        var migration = context.getMigrationInfo();
        if (!isKnown) {
            isKnown = true;
            hasData = !"0001".equals(migration.getVersion().getVersion());
        }
        if (hasData) {
            LOG.info("migration {} of {}: {}", migration.getVersion(), last, migration.getDescription());
        }
    }

    @Override
    public String getCallbackName() {
        return "progress";
    }
}
