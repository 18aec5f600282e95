import { Button } from '../base/components/Button';
import { t } from '../base/text';
import { Gate } from './Gate';
import { StarterList } from './StarterList';
import type { Started } from './starters';

export function FlowStep({
  projectId,
  done,
  skip,
}: {
  projectId: string;
  done: (started: Started) => void;
  skip: () => void;
}) {
  return (
    <Gate wide title={t('start.flow.title')} text={t('start.flow.text')} step={t('start.step', { n: 3 })}>
      <StarterList projectId={projectId} publishes done={done} />
      <div class="actions">
        <span class="spread" />
        <Button kind="quiet" onClick={skip}>
          {t('start.flow.skip')}
        </Button>
      </div>
    </Gate>
  );
}
