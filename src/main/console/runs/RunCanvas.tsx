import { useEffect, useState } from 'preact/hooks';
import { Canvas } from '../builder/canvas/Canvas';
import { loadPieces } from '../builder/canvas/pieces';
import type { Mark } from '../builder/canvas/StepCard';
import type { Step } from '../builder/steps';
import { complain } from '../base/components/Toasts';
import { t } from '../base/text';
import { stepMark } from './stepMark';
import { placeOf, recordAt, type StepRecord, type StepRecords } from './steps';
import type { Chosen } from './useChosen';

interface Props {
  projectId: string;
  trigger: Step;
  steps: StepRecords;
  chosen: Chosen;
  loopsOf: (name: string) => string[];
  liveMs: (record: StepRecord) => number;
}

export function RunCanvas({ projectId, trigger, steps, chosen, loopsOf, liveMs }: Props) {
  const [, again] = useState(0);
  useEffect(() => {
    void loadPieces(projectId).then((refusal) => (refusal ? complain(refusal) : again((n) => n + 1)));
  }, [projectId]);
  const keyOf = (step: Step): string => chosen.keyOfStep(step.name, loopsOf(step.name));
  const markOf = (step: Step): Mark | undefined => stepMark(recordAt(steps, keyOf(step)), liveMs);
  return (
    <div class="run-canvas card">
      <Canvas
        trigger={trigger}
        label={t('run.view.canvas')}
        selected={chosen.key ? placeOf(chosen.key).name : undefined}
        markOf={markOf}
        onSelect={(name) => chosen.select(chosen.keyOfStep(name, loopsOf(name)))}
      />
    </div>
  );
}
