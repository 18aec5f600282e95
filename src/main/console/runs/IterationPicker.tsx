import { useMemo } from 'preact/hooks';
import { Button } from '../base/components/Button';
import { count, t } from '../base/text';
import { stepLook } from './stepLook';
import type { StepRecords } from './steps';
import { nextFailed, partsOf } from './timing';

const PARTS = 80;

interface Props {
  name: string;
  iterations: StepRecords[];
  shown: number;
  choose: (iteration: number) => void;
}

export function IterationPicker({ name, iterations, shown, choose }: Props) {
  const parts = useMemo(() => partsOf(iterations, PARTS), [iterations]);
  const failed = useMemo(() => nextFailed(iterations, shown), [iterations, shown]);
  const last = iterations.length - 1;
  const type = (text: string): void => {
    const number = Number.parseInt(text, 10);
    if (Number.isFinite(number)) {
      choose(Math.max(0, Math.min(number - 1, last)));
    }
  };
  return (
    <div class="iterations" role="group" aria-label={t('run.loop.number', { name })}>
      <Button
        kind="quiet"
        size="small"
        icon="chevron-left"
        label={t('run.loop.previous')}
        disabled={shown <= 0}
        onClick={() => choose(shown - 1)}
      />
      <input
        class="input small figures"
        type="number"
        min={1}
        max={iterations.length}
        value={shown + 1}
        aria-label={t('run.loop.number', { name })}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <span class="faint figures">{t('run.loop.of', { count: iterations.length })}</span>
      <Button
        kind="quiet"
        size="small"
        icon="chevron-right"
        label={t('run.loop.next')}
        disabled={shown >= last}
        onClick={() => choose(shown + 1)}
      />
      <span class="iteration-strip" aria-hidden="true">
        {parts.map((part) => {
          const look = stepLook(part.standing);
          return (
            <span
              key={part.first}
              class={`tone-${look.tone}`}
              data-shown={shown >= part.first && shown <= part.last}
              title={count('run.loop.part', part.last - part.first + 1, {
                first: part.first + 1,
                last: part.last + 1,
                status: t(look.text),
              })}
              onClick={() => choose(part.first)}
            />
          );
        })}
      </span>
      {failed >= 0 && failed !== shown ? (
        <Button
          kind="quiet"
          size="small"
          icon="circle-x"
          label={t('run.loop.nextFailed')}
          onClick={() => choose(failed)}
        />
      ) : null}
    </div>
  );
}
