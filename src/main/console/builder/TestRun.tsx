import { useEffect } from 'preact/hooks';
import { Button, LinkButton } from '../base/components/Button';
import { Badge } from '../base/components/States';
import { t } from '../base/text';
import { duration } from '../base/time';
import { elapsed } from '../runs/model';
import { lookOf } from '../runs/status';
import { stepMark } from '../runs/stepMark';
import { useRun } from '../runs/useRun';
import { useBuilder } from './context';
import type { Mark } from './canvas/StepCard';
import type { Step } from './steps';

export function TestRun({
  id,
  close,
  show,
}: {
  id: string;
  close: () => void;
  show: (marks: Marks | undefined) => void;
}) {
  const { projectId } = useBuilder();
  const run = useRun(id);
  useEffect(() => show({ of: (step) => stepMark(run.value?.steps?.[step.name], run.liveMs) }), [run.value]);
  useEffect(() => () => show(undefined), []);
  const look = lookOf(run.value?.status ?? 'QUEUED');
  const took = run.value?.finishTime ? elapsed(run.value, Date.now()) : undefined;
  return (
    <div class="builder-bar tone-blue" role="status" data-test-run={run.value?.status ?? ''}>
      <span>{t('builder.testing')}</span>
      <Badge tone={look.tone} icon={look.icon}>
        {t(look.text)}
      </Badge>
      {took === undefined ? null : <span class="faint">{duration(took)}</span>}
      <span class="spread" />
      <LinkButton size="small" to={`/projects/${projectId}/runs/${id}`}>
        {t('builder.openRun')}
      </LinkButton>
      <Button kind="quiet" size="small" icon="x" label={t('base.close')} onClick={close} />
    </div>
  );
}

export interface Marks {
  of: (step: Step) => Mark | undefined;
}
