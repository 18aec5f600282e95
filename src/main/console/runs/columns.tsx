import type { Column } from '../base/components/DataTable';
import { Icon } from '../base/components/Icon';
import { Tooltip } from '../base/components/Tooltip';
import { linkTo } from '../base/router';
import { t } from '../base/text';
import { ago, duration, moment } from '../base/time';
import { lineOf } from './errors';
import { elapsed, type Run } from './model';
import { StatusBadge } from './StatusBadge';

interface Context {
  projectId: string;
  selected: ReadonlySet<string>;
  /** `range` with Shift: selects all rows from the last one on. */
  toggle: (run: Run, range: boolean) => void;
  now: number;
}

export const nameOf = (run: Run): string => run.flowVersion?.displayName ?? t('runs.noName');

export function columnsOf({ projectId, selected, toggle, now }: Context): Column<Run>[] {
  return [
    {
      key: 'select',
      title: t('runs.column.select'),
      hidden: true,
      width: '40px',
      cell: (run) => (
        <input
          type="checkbox"
          class="select-run"
          checked={selected.has(run.id)}
          aria-label={t('runs.selectRun', { name: nameOf(run), time: moment(run.created) })}
          onClick={(event) => toggle(run, event.shiftKey)}
        />
      ),
    },
    { key: 'flow', title: t('runs.column.flow'), cell: (run) => <Name run={run} projectId={projectId} /> },
    {
      key: 'status',
      title: t('runs.column.status'),
      width: '132px',
      cell: (run) => <StatusBadge status={run.status} />,
    },
    {
      key: 'started',
      title: t('runs.column.started'),
      width: '124px',
      wideOnly: true,
      cell: (run) => (
        <Tooltip text={moment(run.created)}>
          <span class="faint">{ago(run.created, now)}</span>
        </Tooltip>
      ),
    },
    {
      key: 'duration',
      title: t('runs.column.duration'),
      width: '108px',
      wideOnly: true,
      cell: (run) => {
        const ms = elapsed(run, now);
        return <span class="faint figures">{ms === undefined ? t('runs.notStarted') : duration(ms)}</span>;
      },
    },
    {
      key: 'steps',
      title: t('runs.column.steps'),
      width: '72px',
      wideOnly: true,
      cell: (run) => <span class="faint figures">{run.stepsCount}</span>,
    },
  ];
}

function Name({ run, projectId }: { run: Run; projectId: string }) {
  return (
    <div class="run-name">
      <a class="cut row-link" {...linkTo(`/projects/${projectId}/runs/${run.id}`)}>
        {nameOf(run)}
      </a>
      <span class="row faint">
        <span class="narrow-time">{ago(run.created, Date.now())}</span>
        {run.parentRunId ? (
          <Tooltip text={t('runs.subflow')}>
            <span class="row">
              <Icon name="workflow" size={14} label={t('runs.subflow')} />
            </span>
          </Tooltip>
        ) : null}
        {run.failedStep ? (
          <span class="cut">
            {[run.failedStep.displayName, lineOf(run.failedStep.message ?? '')].filter(Boolean).join(': ')}
          </span>
        ) : null}
        {run.tags.map((tag) => (
          <span class="tag" key={tag}>
            {tag}
          </span>
        ))}
        {run.archivedAt ? <span class="tag">{t('runs.archived.badge')}</span> : null}
      </span>
    </div>
  );
}
