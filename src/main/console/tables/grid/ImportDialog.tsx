import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import type { Failure } from '../../base/api/failure';
import { FormDialog } from '../../base/components/Dialog';
import { Field as FieldFrame, SmallSelect } from '../../base/components/Field';
import { say } from '../../base/components/Toasts';
import { count, t } from '../../base/text';
import { NOTHING } from '../data/changes';
import { imported, matched } from '../data/paste';
import { plain, readFile, type Cells } from '../data/separated';
import type { TableData } from '../data/table';
import { guess } from '../data/values';
import type { Field, Table } from '../model';

const NEW = 'new';
const SKIP = 'skip';
const NAME_LENGTH_MAX = 255;

interface Read {
  header: string[];
  rows: Cells;
}

/** Reads a file whose first line names the columns; nothing where it has no rows. */
export async function readNamed(file: File): Promise<Read | undefined> {
  const [header, ...rows] = readFile(await file.text());
  return header && rows.length > 0 ? { header, rows: rows.map((row) => row.map(plain)) } : undefined;
}

/** Takes the rows of a file into a table: each column goes into a field of its name, into a new one, or nowhere. */
export function ImportDialog({ table, data, close }: { table: Table; data: TableData; close: () => void }) {
  const { fields } = data.store.get();
  const [read, take] = useState<Read>();
  const [bad, refuse] = useState(false);
  const [into, choose] = useState<string[]>([]);
  const open = async (file: File | undefined): Promise<void> => {
    const found = file ? await readNamed(file) : undefined;
    take(found);
    refuse(file !== undefined && !found);
    choose(found ? matched(found.header, fields).map((field) => field?.id ?? NEW) : []);
  };
  const perform = async (): Promise<Failure | undefined> => {
    const columns: Array<Field | undefined> = [];
    for (const [at, name] of read!.header.entries()) {
      if (into[at] === NEW) {
        const made = await makeField(data.tableId, name || `${at + 1}`, read!.rows.map((row) => row[at] ?? ''));
        if (!made.ok) {
          return made.failure;
        }
        data.fieldCame(made.value);
        columns.push(made.value);
      } else {
        columns.push(fields.find((field) => field.id === into[at]));
      }
    }
    const added = imported(read!.rows, columns);
    void data.perform({ ...NOTHING, added }).then((whole) => whole && say(count('tables.imported', added.length), { label: t('base.undo'), perform: () => void data.undo() }));
    return undefined;
  };
  return (
    <FormDialog title={t('grid.import.title', { name: table.name })} submit={read ? count('grid.import.submit', read.rows.length) : t('grid.import')} onClose={close}
      perform={perform} disabled={!read || into.every((target) => target === SKIP)}>
      {() => (
        <>
          <FieldFrame label={t('tables.file')} help={t('tables.file.help')} problem={bad ? t('tables.file.bad') : undefined}>
            {(wiring) => <input {...wiring} class="input" type="file" accept=".csv,.tsv,.txt,text/csv" onChange={(event) => void open(event.currentTarget.files?.[0])} />}
          </FieldFrame>
          {read ? (
            <table class="import-columns">
              <thead><tr><th scope="col">{t('grid.import.column')}</th><th scope="col">{t('grid.import.into')}</th></tr></thead>
              <tbody>
                {read.header.map((name, at) => (
                  <tr key={at}>
                    <th scope="row"><span class="cut">{name || at + 1}</span><span class="faint cut">{read.rows[0]?.[at]}</span></th>
                    <td>
                      <SmallSelect label={`${t('grid.import.into')}: ${name}`} value={into[at]!} onValue={(target) => choose(into.map((each, index) => index === at ? target : each))}>
                        <option value={NEW}>{t('grid.import.new')}</option>
                        <option value={SKIP}>{t('grid.import.skip')}</option>
                        {fields.map((field) => <option key={field.id} value={field.id}>{field.name}</option>)}
                      </SmallSelect>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          ) : null}
        </>
      )}
    </FormDialog>
  );
}

const makeField = (tableId: string, name: string, texts: readonly string[]) =>
  api('POST /v1/fields', { body: { tableId, name: name.slice(0, NAME_LENGTH_MAX), type: guess(texts) } });

