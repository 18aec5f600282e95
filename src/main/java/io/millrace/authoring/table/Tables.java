package io.millrace.authoring.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.table.event.RecordEvent;
import io.millrace.authoring.table.event.TableWebhook;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.bus.Nothing;
import io.millrace.base.bus.Notice;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import java.util.List;
import java.util.Optional;

/** Requests about tables, and notices of changes. Handled by {@link TableService}. */
public sealed interface Tables {
    /** Fails with VALIDATION for a duplicate external id, or too many fields. */
    record Create(String projectId, NewTable request) implements Tables, BusRequest<Table> {}

    record Update(String tableId, TableChanges changes) implements Tables, BusRequest<Table> {}

    /**
     * Filter for tables.
     *
     * @param namePart without regard to case
     * @param externalIds only these; empty for all
     * @param folderIds only those in these; empty for all
     * @param uncategorised only those in no folder
     */
    record Filter(
            String projectId,
            Optional<String> namePart,
            List<String> externalIds,
            List<String> folderIds,
            boolean uncategorised) {
        public Filter {
            externalIds = List.copyOf(externalIds);
            folderIds = List.copyOf(folderIds);
        }

        Filter in(String otherProjectId) {
            return new Filter(otherProjectId, namePart, externalIds, folderIds, uncategorised);
        }

        public static Filter all(String projectId) {
            return new Filter(projectId, Optional.empty(), List.of(), List.of(), false);
        }

        public static Filter known(String projectId, String externalId) {
            return new Filter(projectId, Optional.empty(), List.of(externalId), List.of(), false);
        }
    }

    /** Newest first. */
    record Find(Filter filter, PageRequest page) implements Tables, BusRequest<Page<Table>> {}

    record Count(Filter filter) implements Tables, BusRequest<Integer> {}

    /** Fails with ENTITY_NOT_FOUND, like every request with a table id. */
    record Get(String tableId) implements Tables, BusRequest<Table> {}

    record Delete(Principal by, String tableId) implements Tables, BusRequest<Nothing> {}

    /** Content of a table: {@code {name, fields, rows}}. */
    record Export(String tableId) implements Tables, BusRequest<ObjectNode> {}

    /** Removes all records without an event for each. */
    record Clear(String tableId) implements Tables, BusRequest<Nothing> {}

    record MakeTemplate(String tableId) implements Tables, BusRequest<ObjectNode> {}

    /** Subscribes a flow of the project to record events, which are delivered like calls of its webhook. */
    record Listen(String tableId, String flowId, List<RecordEvent> events)
            implements Tables, BusRequest<TableWebhook> {}

    record EndListening(String tableId, String webhookId) implements Tables, BusRequest<Nothing> {}

    /** The project of a table; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String tableId) implements Tables, BusRequest<String> {}

    record Deleted(Principal by, Table table) implements Tables, Notice {}

    static String topicOf(String projectId) {
        return "tables of " + projectId;
    }

    /**
     * Records of a table were created, changed or deleted.
     *
     * @param recordIds empty when there are too many, or when the table itself or its fields have changed
     */
    record Changed(String projectId, String tableId, List<String> recordIds) implements Tables, ClusterNotice {
        private static final int NAMED_MAX = 100;

        public Changed {
            recordIds = List.copyOf(recordIds);
        }

        static Changed whole(Table table) {
            return new Changed(table.projectId(), table.id(), List.of());
        }

        /** Notice for records of one table, at least one. */
        static Changed of(List<TableRecord> records) {
            var first = records.getFirst();
            var ids = records.size() > NAMED_MAX
                    ? List.<String>of()
                    : records.stream().map(TableRecord::id).toList();
            return new Changed(first.projectId(), first.tableId(), ids);
        }

        @Override
        public Optional<String> topic() {
            return Optional.of(topicOf(projectId));
        }
    }
}
