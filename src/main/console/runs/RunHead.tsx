import type { ComponentChildren } from 'preact';
import { Badge } from '../base/components/States';
import { CopyButton } from '../base/components/CopyButton';
import { linkTo } from '../base/router';
import { t } from '../base/text';
import { duration, moment } from '../base/time';
import { elapsed, isLive, type Run } from './model';
import { ReplayLinks } from './replay/Links';
import { StatusBadge } from './StatusBadge';
import type { KnownVersion } from './useFlowVersion';

export function RunHead({ run, version, now }: { run: Run; version: KnownVersion; now: number }) {
  const ms = elapsed(run, now);
  const flow = version.flow;
  const which = !flow
    ? undefined
    : flow.version.state === 'DRAFT'
      ? 'run.version.draft'
      : flow.publishedVersionId === run.flowVersionId
        ? 'run.version.latest'
        : 'run.version.older';
  return (
    <dl class="run-facts">
      <Fact name={t('runs.column.status')}>
        <StatusBadge status={run.status} />
        {isLive(run) ? (
          <span class="live-dot" role="status">
            {t('run.live')}
          </span>
        ) : null}
        {run.environment === 'TESTING' ? (
          <Badge tone="grey" icon="wrench">
            {t('run.test')}
          </Badge>
        ) : null}
        {run.archivedAt ? <span class="tag">{t('runs.archived.badge')}</span> : null}
      </Fact>
      <Fact name={t('run.duration')}>
        <span class="figures">{ms === undefined ? t('runs.notStarted') : duration(ms)}</span>
      </Fact>
      <Fact name={t('run.started')}>{moment(run.startTime ?? run.created)}</Fact>
      {which ? <Fact name={t('run.version')}>{t(which)}</Fact> : null}
      <Fact name={t('run.steps')}>
        <span class="figures">{run.stepsCount}</span>
      </Fact>
      {run.tags.length > 0 ? (
        <Fact name={t('run.tags')}>
          {run.tags.map((tag) => (
            <span class="tag" key={tag}>
              {tag}
            </span>
          ))}
        </Fact>
      ) : null}
      {run.parentRunId ? (
        <Fact name={t('runs.subflow')}>
          <a {...linkTo(`/projects/${run.projectId}/runs/${run.parentRunId}`)}>{t('run.parent')}</a>
        </Fact>
      ) : null}
      <ReplayLinks run={run} />
      <Fact name={t('run.id')}>
        <code>{run.id}</code>
        <CopyButton text={run.id} />
      </Fact>
    </dl>
  );
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd class="row">{children}</dd>
  </div>
);
