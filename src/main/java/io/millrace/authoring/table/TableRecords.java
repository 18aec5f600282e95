package io.millrace.authoring.table;

import io.millrace.authoring.table.cell.CellValue;
import io.millrace.authoring.table.cell.RecordFilter;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import java.util.List;
import java.util.Optional;

/** Requests about records. Cells of unknown fields are dropped. Handled by {@link RecordService}. */
public sealed interface TableRecords {
    /**
     * Adds records in their order; fails with VALIDATION when the table has no room for all of them.
     *
     * @param repeatKey idempotency key: a repetition returns the records of the first attempt; empty for none
     */
    record Create(String tableId, List<List<CellValue>> rows, Optional<String> repeatKey)
            implements TableRecords, BusRequest<List<TableRecord>> {
        public Create {
            rows = List.copyOf(rows);
        }
    }

    /** Fails with ENTITY_NOT_FOUND. */
    record Get(String recordId) implements TableRecords, BusRequest<TableRecord> {}

    /**
     * Writes cells; other cells are unchanged. Fails with ENTITY_NOT_FOUND when the table has no such record.
     *
     * @param isQuiet true to publish no event
     * @param repeatKey idempotency key: a repetition has no effect unless the record was changed in between; empty
     *     for none
     */
    record Update(String tableId, String recordId, List<CellValue> cells, boolean isQuiet, Optional<String> repeatKey)
            implements TableRecords, BusRequest<TableRecord> {
        public Update {
            cells = List.copyOf(cells);
        }
    }

    /** Unknown ids are ignored. */
    record Delete(String tableId, List<String> recordIds) implements TableRecords, BusRequest<Nothing> {
        public Delete {
            recordIds = List.copyOf(recordIds);
        }
    }

    /** Records that fit all filters, oldest first. Fails with ENTITY_NOT_FOUND for a field of another table. */
    record Find(String tableId, List<RecordFilter> filters, PageRequest page)
            implements TableRecords, BusRequest<Page<TableRecord>> {
        public Find {
            filters = List.copyOf(filters);
        }
    }

    record Newest(String tableId, int count) implements TableRecords, BusRequest<List<TableRecord>> {}

    /** The project of a record; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String recordId) implements TableRecords, BusRequest<String> {}
}
