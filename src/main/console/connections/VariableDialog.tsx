import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { failure, type Failure } from '../base/api/failure';
import { reliably } from '../base/api/reliably';
import { FormDialog } from '../base/components/Dialog';
import { Field, TextField } from '../base/components/Field';
import { t } from '../base/text';
import { isVariableName, type Variable } from './model';

/** The name of a variable cannot change: flows reference it. */
export function VariableDialog({
  projectId,
  variable,
  close,
  changed,
}: {
  projectId: string;
  variable?: Variable;
  close: () => void;
  changed: () => void;
}) {
  const [name, setName] = useState(variable?.name ?? '');
  const [value, setValue] = useState('');
  const perform = async (): Promise<Failure | undefined> => {
    if (!isVariableName(name)) {
      return failure('FST_ERR_VALIDATION', { fields: { name: t('connections.variableHelp') } });
    }
    const made = variable
      ? await api('POST /v1/variables/{id}', { path: { id: variable.id }, body: { value } })
      : await reliably('POST /v1/variables', { body: { projectId, name, value } });
    if (made.ok) {
      changed();
    }
    return made.ok ? undefined : made.failure;
  };
  return (
    <FormDialog
      title={variable ? t('connections.variableTitle', { name }) : t('connections.newVariable')}
      submit={t('base.save')}
      onClose={close}
      perform={perform}
      disabled={name === '' || value === ''}>
      {(problems) => (
        <>
          {variable ? null : (
            <TextField
              label={t('connections.variableName')}
              value={name}
              onValue={setName}
              help={t('connections.variableHelp')}
              problem={problems['name']}
              control={{ name: 'name', maxLength: 200, autocomplete: 'off', spellcheck: false }}
            />
          )}
          <Field
            label={t('connections.value')}
            problem={problems['value']}
            help={variable ? t('connections.valueHelp') : undefined}>
            {(wiring) => (
              <textarea
                class="input"
                name="value"
                spellcheck={false}
                {...wiring}
                value={value}
                onInput={(event) => setValue(event.currentTarget.value)}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
