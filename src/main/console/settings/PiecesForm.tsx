import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { Checkbox, SearchField } from '../base/components/Field';
import { Failed, Skeleton } from '../base/components/States';
import { useQuery } from '../base/query';
import { found } from '../base/search';
import { count, t } from '../base/text';
import type { Project } from './model';
import { SettingsForm } from './SettingsForm';

const WAYS = ['NONE', 'ALLOWED'] as const;

export function PiecesForm({ project }: { project: Project }) {
  const pieces = useQuery('all pieces', (signal) => api('GET /v1/pieces', { query: {}, signal }));
  const [way, setWay] = useState(project.plan.piecesFilterType);
  const [allowed, setAllowed] = useState<ReadonlySet<string>>(new Set(project.plan.pieces));
  const [typed, setTyped] = useState('');
  if (!pieces.value) {
    return pieces.failure ? (
      <Failed failure={pieces.failure} retry={pieces.reload} />
    ) : (
      <div class="card table-wait">
        <Skeleton lines={4} />
      </div>
    );
  }
  const toggle = (name: string, on: boolean): void => {
    const next = new Set(allowed);
    if (on) {
      next.add(name);
    } else {
      next.delete(name);
    }
    setAllowed(next);
  };
  const all = [...pieces.value].sort((one, other) => one.displayName.localeCompare(other.displayName));
  const shown = typed.trim() === '' ? all : found(all, typed, (piece) => piece.displayName);
  return (
    <SettingsForm
      projectId={project.id}
      changes={() => ({ body: { plan: { piecesFilterType: way, pieces: way === 'ALLOWED' ? [...allowed] : [] } } })}>
      {() => (
        <>
          <fieldset class="ways">
            <legend>{t('settings.pieces.which')}</legend>
            {WAYS.map((each) => (
              <label key={each} class="way">
                <input type="radio" name="way" checked={way === each} onChange={() => setWay(each)} />
                <span>
                  <strong>{t(`settings.pieces.${each}`)}</strong>
                  <span class="faint">{t(`settings.pieces.${each}.help`)}</span>
                </span>
              </label>
            ))}
          </fieldset>
          {way === 'ALLOWED' ? (
            <>
              <SearchField label={t('settings.pieces.search')} value={typed} onValue={setTyped} />
              <p class="faint" role="status">
                {count('settings.pieces.chosen', allowed.size)}
              </p>
              <div class="piece-checks">
                {shown.map((piece) => (
                  <Checkbox
                    key={piece.name}
                    label={piece.displayName}
                    checked={allowed.has(piece.name)}
                    onChange={(on) => toggle(piece.name, on)}
                  />
                ))}
              </div>
            </>
          ) : null}
        </>
      )}
    </SettingsForm>
  );
}
