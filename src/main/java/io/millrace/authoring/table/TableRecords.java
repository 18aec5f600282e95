package io.millrace.authoring.table;

import io.millrace.authoring.table.cell.CellValue;
import io.millrace.authoring.table.cell.RecordFilter;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.Page;
import io.millrace.base.core.PageRequest;
import java.util.List;
import java.util.Optional;

/** What one may ask of records. Cells of fields that the table does not have are dropped. Answered by {@link RecordService}. */
public sealed interface TableRecords {
    /**
     * Adds records in their order; fails with VALIDATION when the table has no room for all of them.
     *
     * @param repeatKey the same for a wish that is repeated: it is told what was made the first time; empty for none
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
     * Writes cells; those that are not named stay. Fails with ENTITY_NOT_FOUND when the table has no such record.
     *
     * @param isQuiet whether nobody hears of it
     * @param repeatKey the same for a wish that is repeated: it has an effect once, as long as no other change of the
     *     record came between; empty for none
     */
    record Update(String tableId, String recordId, List<CellValue> cells, boolean isQuiet, Optional<String> repeatKey)
            implements TableRecords, BusRequest<TableRecord> {
        public Update {
            cells = List.copyOf(cells);
        }
    }

    /** Deletes records; those that the table does not have are left out. */
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

    /** The newest records of a table, newest first. */
    record Newest(String tableId, int count) implements TableRecords, BusRequest<List<TableRecord>> {}

    /** The project of a record; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String recordId) implements TableRecords, BusRequest<String> {}
}
