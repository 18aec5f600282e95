import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { failure, settle, type Failure } from '../../base/api/failure';
import { reliably } from '../../base/api/reliably';
import { FormDialog } from '../../base/components/Dialog';
import { Field as FieldFrame, SelectField, TextField } from '../../base/components/Field';
import { say } from '../../base/components/Toasts';
import { t } from '../../base/text';
import type { TableData } from '../data/table';
import type { View } from '../data/view';
import { FIELD_KINDS, kindOf, optionsOf, typeOf, type Field, type FieldKind, type Table } from '../model';
import { FilterDialog } from './FilterDialog';
import { ImportDialog } from './ImportDialog';

export type Asked =
  | { what: 'filter'; fieldId?: string }
  | { what: 'newField' | 'import' | 'clear' }
  | { what: 'editField' | 'deleteField'; field: Field };

interface Props {
  asked: Asked;
  table: Table;
  data: TableData;
  view: View;
  onView: (view: View) => void;
  close: () => void;
}

export function GridDialogs({ asked, table, data, view, onView, close }: Props) {
  switch (asked.what) {
    case 'filter':
      return (
        <FilterDialog
          first={asked.fieldId}
          fields={data.store.get().fields}
          filters={view.filters}
          close={close}
          onFilters={(filters) => onView({ ...view, filters })}
        />
      );
    case 'import':
      return <ImportDialog table={table} data={data} close={close} />;
    case 'newField':
      return <FieldDialog data={data} close={close} />;
    case 'editField':
      return <FieldDialog data={data} field={asked.field} close={close} />;
    case 'deleteField':
      return <DeleteDialog data={data} field={asked.field} close={close} />;
    case 'clear':
      return <ClearDialog table={table} data={data} close={close} />;
  }
}

export const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

function FieldDialog({ data, field, close }: { data: TableData; field?: Field; close: () => void }) {
  const [name, setName] = useState(field?.name ?? '');
  const [kind, setKind] = useState<FieldKind>(field ? kindOf(field) : 'TEXT');
  const [options, setOptions] = useState(field ? optionsOf(field).join('\n') : '');
  const perform = async (): Promise<Failure | undefined> => {
    const choices = linesOf(options);
    if (kind === 'STATIC_DROPDOWN' && choices.length === 0) {
      return failure('FST_ERR_VALIDATION', { fields: { options: t('field.optionsMissing') } });
    }
    const body = { name: name.trim(), ...typeOf(kind, choices) };
    if (field) {
      const changed = await api('POST /v1/fields/{id}', { path: { id: field.id }, body });
      return settle(changed, (known) => data.fieldChanged(known));
    }
    return settle(await reliably('POST /v1/fields', { body: { tableId: data.tableId, ...body } }), (made) =>
      data.fieldCame(made),
    );
  };
  return (
    <FormDialog
      title={field ? t('field.editTitle', { name: field.name }) : t('field.newTitle')}
      submit={t(field ? 'base.save' : 'base.create')}
      onClose={close}
      perform={perform}
      disabled={name.trim() === ''}>
      {(problems) => (
        <>
          <TextField
            label={t('tables.name')}
            value={name}
            onValue={setName}
            problem={problems['name']}
            control={{ name: 'name', maxLength: 255, autocomplete: 'off' }}
          />
          <SelectField
            label={t('field.type')}
            value={kind}
            onValue={(value) => setKind(value as FieldKind)}
            options={FIELD_KINDS.map((value) => ({ value, label: t(`field.type.${value}`) }))}
            {...(field && kind !== kindOf(field) ? { help: t('field.typeChange') } : {})}
          />
          {kind === 'STATIC_DROPDOWN' ? (
            <FieldFrame label={t('field.options')} help={t('field.optionsHelp')} problem={problems['options']}>
              {(wiring) => (
                <textarea
                  class="input"
                  name="options"
                  {...wiring}
                  value={options}
                  onInput={(event) => setOptions(event.currentTarget.value)}
                />
              )}
            </FieldFrame>
          ) : null}
        </>
      )}
    </FormDialog>
  );
}

function DeleteDialog({ data, field, close }: { data: TableData; field: Field; close: () => void }) {
  const perform = async (): Promise<Failure | undefined> => {
    const gone = await api('DELETE /v1/fields/{id}', { path: { id: field.id } });
    if (gone.ok) {
      data.fieldWent(field.id);
      say(t('flows.deleted', { name: field.name }));
    }
    return gone.ok ? undefined : gone.failure;
  };
  return (
    <FormDialog
      danger
      title={t('grid.deleteField.title', { name: field.name })}
      submit={t('base.delete')}
      onClose={close}
      perform={perform}>
      {() => <p>{t('grid.deleteField.text')}</p>}
    </FormDialog>
  );
}

function ClearDialog({ table, data, close }: { table: Table; data: TableData; close: () => void }) {
  const perform = async (): Promise<Failure | undefined> => {
    const cleared = await api('POST /v1/tables/{id}/clear', { path: { id: table.id } });
    if (cleared.ok) {
      say(t('tables.cleared', { name: table.name }));
      await data.reload();
    }
    return cleared.ok ? undefined : cleared.failure;
  };
  return (
    <FormDialog
      danger
      title={t('tables.clear.title', { name: table.name })}
      submit={t('tables.clear')}
      onClose={close}
      perform={perform}>
      {() => <p>{t('tables.clear.text')}</p>}
    </FormDialog>
  );
}
