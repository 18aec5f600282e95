import { api, type Answer } from '../base/api/client';
import { DataTable, type Column } from '../base/components/DataTable';
import { Badge, Empty } from '../base/components/States';
import { useRows } from '../base/query';
import { linkTo } from '../base/router';
import { t } from '../base/text';
import { ago } from '../base/time';
import type { Run } from './model';

type Row = Pick<Run, 'id' | 'created' | 'title' | 'modelName' | 'status' | 'flow'>;
type Listed = Answer<'GET /v1/agents/conversations/runs'>;

const ROWS = 30;

export function RunList({ projectId, agentId }: { projectId: string; agentId: string }) {
  const rows = useRows<Row>(
    `agent runs ${agentId}`,
    (cursor, signal) =>
      api('GET /v1/agents/conversations/runs', {
        query: { projectId, agentId, limit: ROWS, cursor },
        signal,
      }) as Promise<never> & Promise<Listed>,
  );
  const columns: Column<Row>[] = [
    {
      key: 'title',
      title: t('agents.asked'),
      cell: (run) => (
        <a class="cut row-link" {...linkTo(`/projects/${projectId}/agents/${agentId}/runs/${run.id}`)}>
          {run.title ?? run.id}
        </a>
      ),
    },
    {
      key: 'flow',
      title: t('agents.flow'),
      width: '24%',
      wideOnly: true,
      cell: (run) =>
        run.flow?.flowRunId ? (
          <a class="cut" {...linkTo(`/projects/${projectId}/runs/${run.flow.flowRunId}`)}>
            {run.flow.displayName ?? run.flow.flowRunId}
          </a>
        ) : (
          <span class="faint">{t('agents.byHand')}</span>
        ),
    },
    {
      key: 'model',
      title: t('agents.modelName'),
      width: '20%',
      wideOnly: true,
      cell: (run) => <span class="faint cut">{run.modelName ?? ''}</span>,
    },
    {
      key: 'status',
      title: t('flows.column.status'),
      width: '120px',
      cell: (run) => <RunStatus status={run.status} />,
    },
    {
      key: 'when',
      title: t('audit.when'),
      width: '120px',
      wideOnly: true,
      cell: (run) => <span class="faint">{ago(run.created, Date.now())}</span>,
    },
  ];
  return (
    <DataTable
      label={t('agents.runs')}
      rows={rows}
      columns={columns}
      id={(run) => run.id}
      empty={
        <div class="card">
          <Empty icon="activity" title={t('agents.noRun')} text={t('agents.noRunText')} />
        </div>
      }
    />
  );
}

export function RunStatus({ status }: { status: Run['status'] }) {
  switch (status) {
    case 'STREAMING':
      return (
        <Badge tone="blue" icon="loader-circle" spin>
          {t('agents.running')}
        </Badge>
      );
    case 'ERROR':
      return (
        <Badge tone="red" icon="circle-x">
          {t('agents.failed')}
        </Badge>
      );
    case 'IDLE':
      return (
        <Badge tone="green" icon="circle-check">
          {t('agents.ended')}
        </Badge>
      );
  }
}
