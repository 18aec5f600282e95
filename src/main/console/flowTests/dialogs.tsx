import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { failure, type Failure } from '../base/api/failure';
import { ConfirmDialog } from '../base/components/ConfirmDialog';
import { FormDialog } from '../base/components/Dialog';
import { Field, TextField } from '../base/components/Field';
import { say } from '../base/components/Toasts';
import { t } from '../base/text';
import { blank, caseOf, jsonOf, type FlowTest, type NewFlowTest } from './model';

const WIDE_PX = 720;

export type Asked = { kind: 'new' } | { kind: 'edit' | 'rename' | 'delete'; test: FlowTest };

interface Props {
  flowId: string;
  asked: Asked;
  close: () => void;
  changed: (testId: string) => void;
}

export function TestDialogs({ flowId, asked, close, changed }: Props) {
  const save = async (given: NewFlowTest): Promise<Failure | undefined> => {
    const saved =
      asked.kind === 'new'
        ? await api('POST /v1/flows/{id}/tests', { path: { id: flowId }, body: given })
        : await api('POST /v1/flows/{id}/tests/{testId}', { path: { id: flowId, testId: asked.test.id }, body: given });
    if (!saved.ok) {
      return saved.failure;
    }
    say(t('flowTests.saved'));
    changed(saved.value.id);
    return undefined;
  };
  switch (asked.kind) {
    case 'new':
      return (
        <JsonDialog title={t('flowTests.newTitle')} text={blank(t('flowTests.newName'))} save={save} close={close} />
      );
    case 'edit':
      return (
        <JsonDialog
          title={t('flowTests.editTitle', { name: asked.test.name })}
          text={jsonOf(asked.test)}
          save={save}
          close={close}
        />
      );
    case 'rename':
      return <RenameDialog test={asked.test} save={save} close={close} />;
    case 'delete':
      return (
        <ConfirmDialog
          title={t('flowTests.deleteTitle', { name: asked.test.name })}
          text={t('flowTests.deleteText')}
          done={t('flowTests.deleted')}
          close={close}
          changed={() => changed(asked.test.id)}
          perform={() => api('DELETE /v1/flows/{id}/tests/{testId}', { path: { id: flowId, testId: asked.test.id } })}
        />
      );
  }
}

function JsonDialog({
  title,
  text,
  save,
  close,
}: {
  title: string;
  text: string;
  save: (given: NewFlowTest) => Promise<Failure | undefined>;
  close: () => void;
}) {
  const [json, setJson] = useState(text);
  const perform = async (): Promise<Failure | undefined> => {
    const read = caseOf(json);
    const problem =
      'test' in read
        ? undefined
        : read.problem === ''
          ? t('flowTests.jsonObject')
          : t('flowTests.jsonBad', { reason: read.problem });
    return 'test' in read ? save(read.test) : failure('FST_ERR_VALIDATION', { fields: { json: problem ?? '' } });
  };
  return (
    <FormDialog wide={WIDE_PX} title={title} submit={t('base.save')} onClose={close} perform={perform}>
      {(problems) => (
        <Field
          label={t('flowTests.json')}
          help={t('flowTests.jsonHelp')}
          problem={problems['json'] ?? Object.entries(problems).map(([field, problem]) => `${field}: ${problem}`)[0]}>
          {(wiring) => (
            <textarea
              class="input mono flow-test-json"
              name="json"
              rows={18}
              spellcheck={false}
              {...wiring}
              value={json}
              onInput={(event) => setJson(event.currentTarget.value)}
            />
          )}
        </Field>
      )}
    </FormDialog>
  );
}

function RenameDialog({
  test,
  save,
  close,
}: {
  test: FlowTest;
  save: (given: NewFlowTest) => Promise<Failure | undefined>;
  close: () => void;
}) {
  const [name, setName] = useState(test.name);
  const { id: _, ...rest } = test;
  return (
    <FormDialog
      title={t('flowTests.renameTitle', { name: test.name })}
      submit={t('flowTests.rename')}
      onClose={close}
      disabled={name.trim() === ''}
      perform={() => save({ ...rest, name: name.trim() })}>
      {(problems) => (
        <TextField
          label={t('flowTests.name')}
          value={name}
          onValue={setName}
          problem={problems['name']}
          control={{ name: 'name', maxLength: 255, autocomplete: 'off' }}
        />
      )}
    </FormDialog>
  );
}
