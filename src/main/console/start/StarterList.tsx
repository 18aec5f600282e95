import { useState } from 'preact/hooks';
import type { Failure } from '../base/api/failure';
import { Icon } from '../base/components/Icon';
import { Notice } from '../base/components/States';
import { t } from '../base/text';
import { begin, starters, type Started, type Starter } from './starters';

/** Five complete starter flows; the chosen one is created at once. `publishes`: a complete one is also published and enabled. */
export function StarterList({
  projectId,
  folderId = '',
  publishes,
  done,
}: {
  projectId: string;
  /** Folder of the flow; empty or `NULL` for none. */
  folderId?: string;
  publishes: boolean;
  done: (started: Started) => void;
}) {
  const [busy, setBusy] = useState('');
  const [failure, setFailure] = useState<Failure>();
  const choose = async (starter: Starter): Promise<void> => {
    setBusy(starter.id);
    const made = await begin(starter, { projectId, folderId }, publishes);
    setBusy('');
    if (made.ok) {
      done(made.value);
    } else {
      setFailure(made.failure);
    }
  };
  return (
    <>
      <div class="starters">
        {starters.map((starter) => (
          <button key={starter.id} class="starter" type="button" disabled={busy !== ''} onClick={() => choose(starter)}>
            <span class="mark">
              <Icon name={busy === starter.id ? 'loader-circle' : starter.icon} spin={busy === starter.id} size={20} />
            </span>
            <span>
              <strong>{t(starter.title)}</strong>
              <p>{t(starter.text)}</p>
            </span>
            <Icon name="arrow-right" />
          </button>
        ))}
      </div>
      {failure ? <Notice failure={failure} /> : null}
    </>
  );
}
