import { Button } from '../base/components/Button';
import { SelectField, TextField } from '../base/components/Field';
import { Panel } from '../base/components/Panel';
import { t } from '../base/text';
import type { Config } from './model';

type Fields = Config['structuredOutput'];
const TYPES = ['text', 'number', 'boolean'] as const;

/** Later steps of a flow can reference these fields. */
export function OutputFields({ fields, onFields }: { fields: Fields; onFields: (fields: Fields) => void }) {
  const put = (at: number, change: Partial<Fields[number]>): void =>
    onFields(fields.map((field, index) => (index === at ? { ...field, ...change } : field)));
  return (
    <Panel
      title={t('agents.output')}
      text={t('agents.outputText')}
      actions={
        <Button size="small" icon="plus" onClick={() => onFields([...fields, { displayName: '', type: 'text' }])}>
          {t('agents.addField')}
        </Button>
      }>
      {fields.map((field, at) => (
        <div key={at} class="output-field">
          <TextField
            label={t('flows.column.name')}
            value={field.displayName}
            onValue={(displayName) => put(at, { displayName })}
          />
          <TextField
            label={t('agents.meaning')}
            optional
            value={field.description ?? ''}
            onValue={(description) => put(at, { description })}
          />
          <SelectField
            label={t('agents.type')}
            value={field.type}
            onValue={(type) => put(at, { type: type as Fields[number]['type'] })}
            options={TYPES.map((value) => ({ value, label: t(`agents.type.${value}`) }))}
          />
          <Button
            kind="quiet"
            icon="trash-2"
            label={t('platform.takeAway', { name: field.displayName || t('agents.field') })}
            onClick={() => onFields(fields.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      {fields.length === 0 ? <p class="faint">{t('agents.noFields')}</p> : null}
    </Panel>
  );
}
