import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import type { Failure } from '../base/api/failure';
import { SearchField } from '../base/components/Field';
import { Icon } from '../base/components/Icon';
import { Failed, Notice } from '../base/components/States';
import { useQuery } from '../base/query';
import { found } from '../base/search';
import { t } from '../base/text';
import { importedFlow } from './actions';
import type { Exported } from './exported';

/** From this number of templates on, there is a search. */
const SEARCHED_MIN = 8;

/** Templates of the platform; the flows of the chosen one are created as drafts. Nothing if there are none. */
export function PlatformTemplates({
  projectId,
  folderId,
  done,
}: {
  projectId: string;
  folderId: string;
  done: (flowId: string) => void;
}) {
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState('');
  const [failure, setFailure] = useState<Failure>();
  const listed = useQuery('templates of the platform', (signal) =>
    api('GET /v1/templates', { query: { type: 'CUSTOM' }, signal }),
  );
  const all = listed.value?.data ?? [];
  if (all.length === 0) {
    return listed.failure ? <Failed failure={listed.failure} retry={listed.reload} /> : null;
  }
  const shown = typed.trim() === '' ? all : found(all, typed, (each) => `${each.name} ${each.summary}`);
  const choose = async (template: (typeof all)[number]): Promise<void> => {
    setBusy(template.id);
    setFailure(undefined);
    const ids: string[] = [];
    for (const flow of (template as Exported).flows ?? []) {
      const made = await importedFlow({ flows: [flow] }, projectId, folderId);
      if (!made.ok) {
        setFailure(made.failure);
        break;
      }
      ids.push(made.value);
    }
    setBusy('');
    if (ids.length > 0 && ids.length === template.flows.length) {
      done(ids[0]!);
    }
  };
  return (
    <section class="column">
      <h3>{t('template.platform')}</h3>
      {all.length < SEARCHED_MIN ? null : <SearchField label={t('template.search')} value={typed} onValue={setTyped} />}
      <div class="starters">
        {shown.map((template) => (
          <button
            key={template.id}
            class="starter"
            type="button"
            data-template={template.id}
            disabled={busy !== ''}
            onClick={() => choose(template)}>
            <span class="mark">
              <Icon
                name={busy === template.id ? 'loader-circle' : 'layout-template'}
                spin={busy === template.id}
                size={20}
              />
            </span>
            <span>
              <strong>{template.name}</strong>
              <p>{template.summary}</p>
            </span>
            <Icon name="arrow-right" />
          </button>
        ))}
      </div>
      {failure ? <Notice failure={failure} /> : null}
    </section>
  );
}
