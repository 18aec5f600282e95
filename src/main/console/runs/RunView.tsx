import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Tabs } from '../base/components/Tabs';
import { narrow, usePlace } from '../base/router';
import { t } from '../base/text';
import { duration } from '../base/time';
import { Attempts } from './Attempts';
import { DiagnosisNotice } from './DiagnosisNotice';
import { FailedNotice } from './FailedNotice';
import { elapsed, isFailed, isLive, type Run } from './model';
import { RunCanvas } from './RunCanvas';
import { isReplayable } from './replay/replay';
import { ReplayDialog } from './replay/ReplayDialog';
import { RunHead } from './RunHead';
import { StepPanel } from './StepPanel';
import { firstOfInterest, recordAt, type StepRecord, type StepRecords } from './steps';
import { Timeline } from './Timeline';
import { timelineOf } from './timing';
import { useChosen } from './useChosen';
import { useFlowVersion } from './useFlowVersion';
import { useNow } from './useNow';

interface Props {
  run: Run;
  steps: StepRecords;
  liveMs: (record: StepRecord) => number;
  /** Shown instead of the steps if there are none. */
  children?: ComponentChildren;
}

/** Idle time is mentioned from this duration on, if it is also this share of the run. */
const IDLE_MS = 1_000;
const IDLE_PART = 0.25;

export function RunView({ run, steps, liveMs, children }: Props) {
  const { query } = usePlace();
  const version = useFlowVersion(run);
  const chosen = useChosen(steps);
  const now = useNow(isLive(run));
  const total = elapsed(run, now) ?? 0;
  const unfoldedKey = [...chosen.unfolded].join(' ');
  const lines = useMemo(
    () => timelineOf(steps, chosen.unfolded, total, liveMs),
    [steps, unfoldedKey, isLive(run) ? now : 0, total],
  );
  const failedKey = useMemo(() => firstOfInterest(steps), [steps]);
  const view = query.get('view') === 'flow' && version.trigger ? 'flow' : 'timeline';
  const [replayed, setReplayed] = useState<string>();
  const mayReplay = chosen.key !== undefined && isReplayable(run, recordAt(steps, chosen.key));
  const mayReplayFailed = failedKey !== undefined && isReplayable(run, recordAt(steps, failedKey));
  const editorOf = version.flow
    ? (name: string) => `/projects/${run.projectId}/flows/${run.flowId}?step=${encodeURIComponent(name)}`
    : undefined;
  const showStep =
    run.failedStep && failedKey !== undefined && failedKey !== chosen.key ? () => chosen.select(failedKey) : undefined;
  return (
    <>
      <RunHead run={run} version={version} now={now} />
      <FailedNotice run={run} {...(showStep ? { showStep } : {})} />
      {isFailed(run) ? (
        <DiagnosisNotice run={run} {...(mayReplayFailed ? { replay: () => setReplayed(failedKey) } : {})} />
      ) : null}
      <Attempts run={run} />
      {children ?? (
        <div class="run-view">
          <div class="run-main">
            <Tabs
              label={t('run.views')}
              chosen={view}
              onChoose={(key) => narrow({ view: key === 'timeline' ? '' : key })}
              tabs={[
                { key: 'timeline', label: t('run.view.timeline') },
                ...(version.trigger ? [{ key: 'flow', label: t('run.view.canvas') }] : []),
              ]}>
              <div class="run-drawing">
                {view === 'flow' && version.trigger ? (
                  <RunCanvas
                    projectId={run.projectId}
                    trigger={version.trigger}
                    steps={steps}
                    chosen={chosen}
                    loopsOf={version.loopsOf}
                    liveMs={liveMs}
                  />
                ) : (
                  <Timeline lines={lines} chosen={chosen} title={version.title} />
                )}
                {view === 'timeline' && lines.idleMs >= IDLE_MS && lines.idleMs > IDLE_PART * total ? (
                  <p class="faint run-idle">
                    {t('run.idle', { idle: duration(lines.idleMs), total: duration(total) })}
                  </p>
                ) : null}
              </div>
            </Tabs>
          </div>
          <StepPanel
            steps={steps}
            chosen={chosen}
            title={version.title}
            {...(editorOf ? { editorOf } : {})}
            {...(mayReplay ? { replay: () => setReplayed(chosen.key) } : {})}
          />
        </div>
      )}
      {replayed === undefined ? null : (
        <ReplayDialog
          key={run.id}
          run={run}
          steps={steps}
          stepKey={replayed}
          title={version.title}
          close={() => setReplayed(undefined)}
        />
      )}
    </>
  );
}
