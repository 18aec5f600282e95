import { useMemo } from 'preact/hooks';
import { api } from '../base/api/client';
import { Tabs } from '../base/components/Tabs';
import { askIf } from '../base/permissions';
import { useQuery } from '../base/query';
import { narrow, usePlace } from '../base/router';
import { t } from '../base/text';
import { Page } from '../frame/Page';
import { Causes } from './Causes';
import { Filters } from './Filters';
import { countsByGroup, filterOf, queryOf, type Filter, type Group } from './model';
import { RunList } from './RunList';

const FLOWS_MAX = 500;

/** All filters are part of the address. */
export default function RunsPage({ params }: { params: Record<string, string> }) {
  const projectId = params['projectId']!;
  const { query } = usePlace();
  const filter = filterOf((name) => query.get(name));
  const view = query.get('view') === 'causes' ? 'causes' : 'list';
  const flows = useFlows(projectId);
  const counts = useCounts(projectId, filter);
  const key = JSON.stringify(filter);
  const kept = useMemo(() => filter, [key]);
  return (
    <Page title={t('runs.title')}>
      <Tabs
        label={t('runs.view')}
        chosen={view}
        onChoose={(chosen) => narrow({ view: chosen === 'list' ? '' : chosen })}
        tabs={[
          { key: 'list', label: t('runs.view.list') },
          { key: 'causes', label: t('runs.view.causes') },
        ]}>
        <div class="runs">
          <Filters filter={filter} flows={flows} counts={counts.of} withStatus={view === 'list'} />
          {view === 'causes' ? (
            <Causes projectId={projectId} filter={kept} key={`causes ${projectId} ${key}`} />
          ) : (
            <RunList projectId={projectId} filter={kept} changed={counts.reload} key={`list ${projectId} ${key}`} />
          )}
        </div>
      </Tabs>
    </Page>
  );
}

function useFlows(projectId: string): Array<{ id: string; name: string }> {
  const flows = useQuery(`flow names ${projectId}`, (signal) =>
    askIf('READ_FLOW', () => api('GET /v1/flows', { query: { projectId, limit: FLOWS_MAX }, signal })),
  );
  const found = (flows.value?.data ?? []) as Array<{ id: string; version: { displayName: string } }>;
  return found
    .map((flow) => ({ id: flow.id, name: flow.version.displayName }))
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** The API counts by time only, so other filters make the numbers unknown. */
function useCounts(projectId: string, filter: Filter): { of: Record<Group, number> | undefined; reload: () => void } {
  const { createdAfter } = queryOf(filter, Date.now());
  const counts = useQuery(`counts ${projectId} ${filter.time}`, (signal) =>
    api('GET /v1/flow-runs/count-by-status', { query: { projectId, createdAfter }, signal }),
  );
  const other = filter.flow || filter.tag || filter.step || filter.message || filter.archived;
  return { of: counts.value && !other ? countsByGroup(counts.value.data) : undefined, reload: counts.reload };
}
