import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../base/components/Button';
import { CopyButton } from '../base/components/CopyButton';
import { Badge, Notice } from '../base/components/States';
import { Tabs } from '../base/components/Tabs';
import { linkTo } from '../base/router';
import { count, t } from '../base/text';
import { duration } from '../base/time';
import { ErrorView } from './ErrorView';
import { IterationPicker } from './IterationPicker';
import { JsonView } from './JsonView';
import { stepLook } from './stepLook';
import { iterationsOf, keyOf, loopStanding, placeOf, recordAt, type StepRecord, type StepRecords } from './steps';
import type { Chosen } from './useChosen';

interface Props {
  steps: StepRecords;
  chosen: Chosen;
  title: (name: string) => string;
  /** Editor address of a step; absent if the flow was deleted. */
  editorOf?: (name: string) => string;
  /** Opens the replay of the run from the shown step; absent if the run cannot be replayed. */
  replay?: () => void;
}

type View = 'input' | 'output' | 'error' | 'console';

export function StepPanel({ steps, chosen, title, editorOf, replay }: Props) {
  const { place, name } = placeOf(chosen.key ?? '');
  const panel = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    // Below the canvas the panel may be out of view.
    if (!first.current && matchMedia('(max-width: 960px)').matches) {
      panel.current?.scrollIntoView({ block: 'nearest' });
    }
    first.current = false;
  }, [name]);
  const record = chosen.key === undefined ? undefined : recordAt(steps, chosen.key);
  if (!record) {
    return (
      <section class="run-step card">
        <p class="faint">{t('run.step.none')}</p>
      </section>
    );
  }
  const look = stepLook(loopStanding(record));
  return (
    <section class="run-step card" ref={panel} aria-label={title(name)}>
      <header>
        <div class="row">
          <h2 class="cut spread">{title(name)}</h2>
          <Badge tone={look.tone} icon={look.icon} spin={record.status === 'RUNNING'}>
            {t(look.text)}
          </Badge>
        </div>
        <p class="row faint figures">
          {record.duration === undefined ? null : <span>{duration(record.duration)}</span>}
          {(record.attempts ?? 1) > 1 ? <span>{count('run.step.attempts', record.attempts ?? 1)}</span> : null}
          {record.type === 'LOOP_ON_ITEMS' ? (
            <span>{count('run.loop.iterations', iterationsOf(record).length)}</span>
          ) : null}
          <span class="spread" />
          {replay ? (
            <Button
              kind="quiet"
              size="small"
              icon="rotate-ccw"
              needs="WRITE_RUN"
              more={{ 'data-replay': '' }}
              onClick={replay}>
              {t('replay.open')}
            </Button>
          ) : null}
          {editorOf ? <a {...linkTo(editorOf(name))}>{t('run.step.edit')}</a> : null}
        </p>
        {place.map(([loop, iteration], depth) => {
          const loopKey = keyOf(place.slice(0, depth), loop);
          return (
            <IterationPicker
              key={loopKey}
              name={title(loop)}
              iterations={iterationsOf(recordAt(steps, loopKey))}
              shown={iteration}
              choose={(chosenOne) => chosen.iterate(loopKey, chosenOne)}
            />
          );
        })}
      </header>
      <Views
        key={`${name} ${record.status}`}
        record={record}
        isTrigger={record.type === 'PIECE_TRIGGER' || record.type === 'EMPTY'}
      />
    </section>
  );
}

function Views({ record, isTrigger }: { record: StepRecord; isTrigger: boolean }) {
  const views: View[] = [
    ...(record.errorMessage ? ['error' as const] : []),
    'output',
    ...(isTrigger ? [] : ['input' as const]),
    ...(record.standardOutput || record.standardError ? ['console' as const] : []),
  ];
  const [view, setView] = useState<View>(views[0]!);
  const shown = views.includes(view) ? view : views[0]!;
  return (
    <Tabs
      label={t('run.step.views')}
      chosen={shown}
      onChoose={(key) => setView(key as View)}
      tabs={views.map((each) => ({
        key: each,
        label: t(each === 'output' && isTrigger ? 'run.step.trigger' : `run.step.${each}`),
      }))}>
      <div class="step-view">
        {shown === 'error' ? <ErrorView text={record.errorMessage ?? ''} stepType={record.type} /> : null}
        {shown === 'input' ? (
          isEmpty(record.input) ? (
            <p class="faint">{t('run.step.noInput')}</p>
          ) : (
            <JsonView value={record.input} label={t('run.step.input')} />
          )
        ) : null}
        {shown === 'output' ? <Output record={record} /> : null}
        {shown === 'console' ? <Console record={record} /> : null}
      </div>
    </Tabs>
  );
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);

function Output({ record }: { record: StepRecord }) {
  const sliced = record as { outputType?: string; output?: { url?: string; size?: number } };
  if (sliced.outputType === 'slice' && sliced.output?.url) {
    return (
      <Notice tone="blue">
        {t('run.step.sliced', { size: `${Math.round((sliced.output.size ?? 0) / 1024)} KB` })}{' '}
        <a href={sliced.output.url} target="_blank" rel="noopener">
          {t('run.step.sliced.open')}
        </a>
      </Notice>
    );
  }
  if (record.output === undefined) {
    return <p class="faint">{t(record.status === 'RUNNING' ? 'run.step.working' : 'run.step.noOutput')}</p>;
  }
  return <JsonView value={shortened(record)} label={t('run.step.output')} />;
}

/** Output of a loop without iterations, which are selected by number. */
function shortened(record: StepRecord): unknown {
  if (record.type !== 'LOOP_ON_ITEMS' || typeof record.output !== 'object' || record.output === null) {
    return record.output;
  }
  const { iterations: _, ...rest } = record.output as Record<string, unknown>;
  return rest;
}

function Console({ record }: { record: StepRecord }) {
  return (
    <>
      {(
        [
          ['run.step.standardOutput', record.standardOutput],
          ['run.step.standardError', record.standardError],
        ] as const
      ).map(([title, text]) =>
        text ? (
          <section key={title} class="json">
            <div class="json-head">
              <h3>{t(title)}</h3>
              <span class="spread" />
              <CopyButton text={text} />
            </div>
            <pre class="json-text" tabIndex={0} aria-label={t(title)}>
              {text}
            </pre>
          </section>
        ) : null,
      )}
    </>
  );
}
