import { useState } from 'preact/hooks';
import type { Failure } from '../base/api/failure';
import { Button } from '../base/components/Button';
import { Icon } from '../base/components/Icon';
import { Notice } from '../base/components/States';
import { t } from '../base/text';
import { Gate } from './Gate';
import { begin, starters, type Started, type Starter } from './starters';

/** Five flows that work as they are. */
export function FlowStep({ projectId, done, skip }: { projectId: string; done: (started: Started) => void; skip: () => void }) {
  const [busy, work] = useState('');
  const [failure, refuse] = useState<Failure>();
  const choose = async (starter: Starter): Promise<void> => {
    work(starter.id);
    const made = await begin(starter, projectId);
    work('');
    if (made.ok) {
      done(made.value);
    } else {
      refuse(made.failure);
    }
  };
  return (
    <Gate wide title={t('start.flow.title')} text={t('start.flow.text')} step={t('start.step', { n: 3 })}>
      <div class="starters">
        {starters.map((starter) => (
          <button key={starter.id} class="starter" type="button" disabled={busy !== ''} onClick={() => void choose(starter)}>
            <span class="mark"><Icon name={busy === starter.id ? 'loader-circle' : starter.icon} spin={busy === starter.id} size={20} /></span>
            <span><strong>{t(starter.title)}</strong><p>{t(starter.text)}</p></span>
            <Icon name="arrow-right" />
          </button>
        ))}
      </div>
      {failure ? <Notice failure={failure} /> : null}
      <div class="actions"><span class="spread" /><Button kind="quiet" onClick={skip}>{t('start.flow.skip')}</Button></div>
    </Gate>
  );
}
