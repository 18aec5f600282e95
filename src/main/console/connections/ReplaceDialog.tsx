import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import type { Failure } from '../base/api/failure';
import { ComboField } from '../base/components/Combobox';
import { FormDialog } from '../base/components/Dialog';
import { Checkbox } from '../base/components/Field';
import { Notice } from '../base/components/States';
import { say } from '../base/components/Toasts';
import { useQuery } from '../base/query';
import { t } from '../base/text';
import { isGlobal, type Connection } from './model';

const OTHERS_MAX = 100;

export function ReplaceDialog({
  connection,
  projectId,
  close,
  changed,
}: {
  connection: Connection;
  projectId: string;
  close: () => void;
  changed: () => void;
}) {
  const [target, setTarget] = useState('');
  const [published, setPublished] = useState(true);
  const [remove, setRemove] = useState(false);
  const others = useQuery(`others of ${connection.pieceName} ${projectId}`, (signal) =>
    api('GET /v1/app-connections', {
      query: { projectId, pieceName: connection.pieceName, limit: OTHERS_MAX },
      signal,
    }),
  );
  const options = ((others.value?.data ?? []) as Connection[])
    .filter((each) => each.id !== connection.id)
    .map((each) => ({ value: each.id, label: each.displayName }));
  const perform = async (): Promise<Failure | undefined> => {
    const done = await api('POST /v1/app-connections/replace', {
      body: {
        projectId,
        sourceAppConnectionId: connection.id,
        targetAppConnectionId: target,
        applyToPublishedVersions: published,
        deleteSourceConnection: remove,
      },
    });
    if (!done.ok) {
      return done.failure;
    }
    say(t('connections.replaced', { name: options.find((each) => each.value === target)?.label ?? '' }));
    changed();
    return undefined;
  };
  return (
    <FormDialog
      title={t('connections.replaceTitle', { name: connection.displayName })}
      submit={t('connections.replace.submit')}
      onClose={close}
      perform={perform}
      disabled={target === ''}>
      {() => (
        <>
          {others.failure ? <Notice failure={others.failure} /> : null}
          {others.value && options.length === 0 ? (
            <p>{t('connections.noOther')}</p>
          ) : (
            <ComboField
              label={t('connections.by')}
              value={target}
              onValue={setTarget}
              empty={t('field.nothing')}
              options={options}
            />
          )}
          <Checkbox label={t('connections.alsoPublished')} checked={published} onChange={setPublished} />
          {isGlobal(connection) ? null : (
            <Checkbox
              label={t('connections.alsoDelete', { name: connection.displayName })}
              checked={remove}
              onChange={setRemove}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
