import { useState } from 'preact/hooks';
import type { Failure } from '../base/api/failure';
import { Dialog } from '../base/components/Dialog';
import { Icon } from '../base/components/Icon';
import { Notice } from '../base/components/States';
import { navigate } from '../base/router';
import { t } from '../base/text';
import { begin, starters, type Starter } from '../start/starters';

/** The five flows to begin with, at any later time. */
export function TemplateDialog({ projectId, close }: { projectId: string; folderId: string; close: () => void }) {
  const [busy, work] = useState('');
  const [failure, refuse] = useState<Failure>();
  const choose = async (starter: Starter): Promise<void> => {
    work(starter.id);
    const made = await begin(starter, projectId);
    work('');
    if (made.ok) {
      close();
      navigate(`/projects/${projectId}/flows/${made.value.flowId}`);
    } else {
      refuse(made.failure);
    }
  };
  return (
    <Dialog title={t('flows.template.title')} onClose={close} wide={600}>
      <div class="body">
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
      </div>
    </Dialog>
  );
}
