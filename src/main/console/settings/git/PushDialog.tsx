import { useState } from 'preact/hooks';
import type { Push } from '#api';
import { api } from '../../base/api/client';
import { success, type Failure } from '../../base/api/failure';
import { FormDialog } from '../../base/components/Dialog';
import { Checkbox, SelectField, TextField } from '../../base/components/Field';
import { Notice } from '../../base/components/States';
import { say } from '../../base/components/Toasts';
import { useQuery } from '../../base/query';
import { t } from '../../base/text';
import type { GitRepo } from '../model';

const LISTED_MAX = 1_000;
const TYPES = ['PUSH_EVERYTHING', 'PUSH_FLOW', 'PUSH_TABLE'] as const;
const WORDS = {
  PUSH_EVERYTHING: 'git.push.everything',
  PUSH_FLOW: 'git.push.flows',
  PUSH_TABLE: 'git.push.tables',
} as const;

interface Item {
  externalId: string;
  name: string;
}

export function PushDialog({
  projectId,
  repository,
  close,
}: {
  projectId: string;
  repository: GitRepo;
  close: () => void;
}) {
  const [type, setType] = useState<(typeof TYPES)[number]>('PUSH_EVERYTHING');
  const [commitMessage, setCommitMessage] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const items = useQuery<Item[]>(`to push ${projectId} ${type}`, async (signal) => {
    if (type === 'PUSH_EVERYTHING') {
      return success([]);
    }
    const query = { projectId, limit: LISTED_MAX };
    if (type === 'PUSH_TABLE') {
      const tables = await api('GET /v1/tables', { query, signal });
      return tables.ok
        ? success(
            (tables.value.data ?? []).map((table) => ({
              externalId: (table as { externalId: string }).externalId,
              name: (table as { name: string }).name,
            })),
          )
        : tables;
    }
    const flows = await api('GET /v1/flows', { query, signal });
    return flows.ok
      ? success(
          (flows.value.data as Array<{ externalId: string; version: { displayName: string } }>).map((flow) => ({
            externalId: flow.externalId,
            name: flow.version.displayName,
          })),
        )
      : flows;
  });
  const perform = async (): Promise<Failure | undefined> => {
    const ids = [...chosen];
    const body: Push = {
      type,
      commitMessage: commitMessage.trim(),
      ...(type === 'PUSH_FLOW' ? { externalFlowIds: ids } : type === 'PUSH_TABLE' ? { externalTableIds: ids } : {}),
    };
    const pushed = await api('POST /v1/git-repos/{id}/push', { path: { id: repository.id }, body });
    if (pushed.ok) {
      say(t('git.pushed'));
    }
    return pushed.ok ? undefined : pushed.failure;
  };
  return (
    <FormDialog
      title={t('git.push.title', { branch: repository.branch })}
      submit={t('git.push')}
      onClose={close}
      perform={perform}
      disabled={commitMessage.trim() === '' || (type !== 'PUSH_EVERYTHING' && chosen.size === 0)}>
      {(problems) => (
        <>
          <TextField
            label={t('git.push.message')}
            value={commitMessage}
            onValue={setCommitMessage}
            problem={problems['commitMessage']}
            control={{ name: 'commitMessage', autocomplete: 'off' }}
          />
          <SelectField
            label={t('git.push.what')}
            value={type}
            options={TYPES.map((value) => ({ value, label: t(WORDS[value]) }))}
            onValue={(value) => {
              setType(value as (typeof TYPES)[number]);
              setChosen(new Set());
            }}
          />
          {items.failure ? <Notice failure={items.failure} /> : null}
          {items.value?.map((item) => (
            <Checkbox
              key={item.externalId}
              label={item.name}
              checked={chosen.has(item.externalId)}
              onChange={(on) =>
                setChosen(
                  new Set(on ? [...chosen, item.externalId] : [...chosen].filter((id) => id !== item.externalId)),
                )
              }
            />
          ))}
        </>
      )}
    </FormDialog>
  );
}
