import { api } from '../base/api/client';
import { success, type Result } from '../base/api/failure';
import { DataTable, type Column } from '../base/components/DataTable';
import { Panel } from '../base/components/Panel';
import { Empty } from '../base/components/States';
import { useQuery } from '../base/query';
import { t } from '../base/text';

interface Line {
  id: string;
  day: string;
  model: string;
  calls: number;
  tokens: number;
  costUsd: number;
}

const DIGITS = 4;

const dollars = (amount: number): string => `$${amount.toFixed(DIGITS)}`;

/** Model usage of a project in the current month by day and model, latest day first. */
export function ModelUsage({ projectId }: { projectId: string }) {
  const lines = async (signal: AbortSignal): Promise<Result<Line[]>> => {
    const found = await api('GET /v1/ai-usage', { query: { projectId }, signal });
    return found.ok
      ? success(
          found.value.data
            .map((row) => ({
              id: `${row.day} ${row.provider} ${row.model} ${row.kind}`,
              day: row.day,
              model: `${row.model} (${row.provider})`,
              calls: row.calls,
              tokens: row.inputTokens + row.outputTokens,
              costUsd: row.costUsd,
            }))
            .reverse(),
        )
      : found;
  };
  const rows = useQuery<Line[]>(`model usage ${projectId}`, lines);
  const columns: Column<Line>[] = [
    {
      key: 'day',
      title: t('agents.usage.day'),
      width: '120px',
      cell: (line) => <span class="figures">{line.day}</span>,
    },
    { key: 'model', title: t('agents.usage.model'), cell: (line) => <span class="cut">{line.model}</span> },
    {
      key: 'calls',
      title: t('agents.usage.calls'),
      width: '90px',
      wideOnly: true,
      cell: (line) => <span class="figures">{line.calls.toLocaleString()}</span>,
    },
    {
      key: 'tokens',
      title: t('agents.usage.tokens'),
      width: '120px',
      wideOnly: true,
      cell: (line) => <span class="figures">{line.tokens.toLocaleString()}</span>,
    },
    {
      key: 'cost',
      title: t('agents.usage.cost'),
      width: '110px',
      cell: (line) => <span class="figures">{dollars(line.costUsd)}</span>,
    },
  ];
  const total = (rows.value ?? []).reduce((sum, line) => sum + line.costUsd, 0);
  return (
    <Panel plain title={t('agents.usage.title')} text={t('agents.usage.text', { cost: dollars(total) })}>
      <DataTable
        label={t('agents.usage.title')}
        rows={rows}
        columns={columns}
        id={(line) => line.id}
        empty={
          <div class="card">
            <Empty icon="activity" title={t('agents.usage.none')} />
          </div>
        }
      />
    </Panel>
  );
}
