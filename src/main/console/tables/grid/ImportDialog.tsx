import { useState } from 'preact/hooks';
import type { Failure } from '../../base/api/failure';
import { reliably } from '../../base/api/reliably';
import { FormDialog } from '../../base/components/Dialog';
import { Combobox } from '../../base/components/Combobox';
import { say } from '../../base/components/Toasts';
import { count, t } from '../../base/text';
import { tooManyRows } from '../actions';
import { NOTHING } from '../data/changes';
import { imported, matched } from '../data/paste';
import type { TableData } from '../data/table';
import { guess } from '../data/values';
import { typeOf, type Field, type Table } from '../model';
import { FilePreview } from './FilePreview';
import { useTableFile } from './useTableFile';

const NEW = 'new';
const SKIP = 'skip';
const NAME_LENGTH_MAX = 255;

export function ImportDialog({ table, data, close }: { table: Table; data: TableData; close: () => void }) {
  const { fields } = data.store.get();
  const [into, setInto] = useState<string[]>([]);
  const chosen = useTableFile((found) =>
    setInto(found ? matched(found.header, fields).map((field) => field?.id ?? NEW) : []),
  );
  const { read } = chosen;
  const perform = async (): Promise<Failure | undefined> => {
    const tooMany = tooManyRows(read!, data.store.get().rows.length);
    if (tooMany) {
      return tooMany;
    }
    const columns: Array<Field | undefined> = [];
    for (const [at, name] of read!.header.entries()) {
      if (into[at] === NEW) {
        const made = await makeField(
          data.tableId,
          name || `${at + 1}`,
          read!.rows.map((row) => row[at] ?? ''),
        );
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
    void data
      .perform({ ...NOTHING, added })
      .then(
        (whole) =>
          whole && say(count('tables.imported', added.length), { label: t('base.undo'), perform: () => data.undo() }),
      );
    return undefined;
  };
  return (
    <FormDialog
      title={t('grid.import.title', { name: table.name })}
      submit={read ? count('grid.import.submit', read.rows.length) : t('grid.import')}
      onClose={close}
      perform={perform}
      disabled={!read || into.every((target) => target === SKIP)}>
      {() => (
        <>
          <FilePreview chosen={chosen} />
          {read ? (
            <table class="import-columns">
              <thead>
                <tr>
                  <th scope="col">{t('grid.import.column')}</th>
                  <th scope="col">{t('grid.import.into')}</th>
                </tr>
              </thead>
              <tbody>
                {read.header.map((name, at) => (
                  <tr key={at}>
                    <th scope="row">
                      <span class="cut">{name || at + 1}</span>
                      <span class="faint cut">{read.rows[0]?.[at]}</span>
                    </th>
                    <td>
                      <Combobox
                        small
                        label={`${t('grid.import.into')}: ${name}`}
                        value={into[at]!}
                        options={[
                          {
                            value: NEW,
                            label: t('grid.import.new', {
                              type: t(`field.type.${guess(read.rows.map((row) => row[at] ?? ''))}`),
                            }),
                          },
                          { value: SKIP, label: t('grid.import.skip') },
                          ...fields.map((field) => ({ value: field.id, label: field.name })),
                        ]}
                        onValue={(target) => setInto(into.map((each, index) => (index === at ? target : each)))}
                      />
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
  reliably('POST /v1/fields', { body: { tableId, name: name.slice(0, NAME_LENGTH_MAX), ...typeOf(guess(texts)) } });
