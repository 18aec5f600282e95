import { api } from '../../base/api/client';
import { success, type Result } from '../../base/api/failure';
import { DataTable, type Column } from '../../base/components/DataTable';
import { Panel } from '../../base/components/Panel';
import { Empty } from '../../base/components/States';
import { useQuery } from '../../base/query';
import { count, t } from '../../base/text';
import { duration } from '../../base/time';
import type { Period, Report } from './figures';

interface Leader {
  id: string;
  name: string;
  flowCount: number;
  minutesSaved: number | null;
}

const ROWS = 10;
const MINUTE_MS = 60_000;

const nameOf = (users: Report['users'], id: string): string => {
  const user = users.find((each) => each.id === id);
  return user ? `${user.firstName} ${user.lastName}`.trim() || user.email : id;
};

export function Leaders({ period, users }: { period: Period; users: Report['users'] }) {
  const projects = async (signal: AbortSignal): Promise<Result<Leader[]>> => {
    const found = await api('GET /v1/analytics/project-leaderboard', { query: { timePeriod: period }, signal });
    return found.ok
      ? success(found.value.slice(0, ROWS).map((each) => ({ ...each, id: each.projectId, name: each.projectName })))
      : found;
  };
  const people = async (signal: AbortSignal): Promise<Result<Leader[]>> => {
    const found = await api('GET /v1/analytics/user-leaderboard', { query: { timePeriod: period }, signal });
    return found.ok
      ? success(
          found.value.slice(0, ROWS).map((each) => ({ ...each, id: each.userId, name: nameOf(users, each.userId) })),
        )
      : found;
  };
  return (
    <div class="boards">
      <Board title={t('insight.projects')} of={`projects ${period}`} ask={projects} />
      <Board title={t('insight.people')} of={`people ${period}`} ask={people} />
    </div>
  );
}

function Board({
  title,
  of,
  ask,
}: {
  title: string;
  of: string;
  ask: (signal: AbortSignal) => Promise<Result<Leader[]>>;
}) {
  const rows = useQuery<Leader[]>(`leaders ${of}`, ask);
  const columns: Column<Leader>[] = [
    { key: 'name', title: t('flows.column.name'), cell: (each) => <span class="cut">{each.name}</span> },
    { key: 'flows', title: t('nav.flows'), width: '90px', cell: (each) => count('connections.flows', each.flowCount) },
    {
      key: 'saved',
      title: t('insight.saved'),
      width: '120px',
      cell: (each) =>
        each.minutesSaved === null ? (
          <span class="faint">{t('insight.untold')}</span>
        ) : (
          <span class="figures">{duration(each.minutesSaved * MINUTE_MS)}</span>
        ),
    },
  ];
  return (
    <Panel plain title={title} text={t('insight.savedText')}>
      <DataTable
        label={title}
        rows={rows}
        columns={columns}
        id={(each) => each.id}
        empty={
          <div class="card">
            <Empty icon="users" title={t('insight.nobody')} />
          </div>
        }
      />
    </Panel>
  );
}
