import { useRef, useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { Button, LinkButton } from '../base/components/Button';
import { DataTable } from '../base/components/DataTable';
import { Checkbox } from '../base/components/Field';
import { Empty } from '../base/components/States';
import { useRows } from '../base/query';
import { t } from '../base/text';
import { BulkBar } from './BulkBar';
import { columnsOf } from './columns';
import { clearFilters } from './Filters';
import { isLive, isNarrowed, queryOf, type Filter, type Run } from './model';
import { useLiveRuns } from './useLiveRuns';
import { useNow } from './useNow';

const ROWS = 50;

interface Props {
  projectId: string;
  filter: Filter;
  /** Called after a change of the list: counts may have changed, too. */
  changed: () => void;
}

export function RunList({ projectId, filter, changed }: Props) {
  const runs = useRows<Run>(`runs ${projectId} ${JSON.stringify(filter)}`, (cursor, signal) =>
    api('GET /v1/flow-runs', { query: { projectId, ...queryOf(filter, Date.now()), limit: ROWS, cursor }, signal }),
  );
  useLiveRuns(projectId, filter, runs, changed);
  const { selected, toggle, all, set } = useSelection(runs.value ?? []);
  const now = useNow((runs.value ?? []).some((run) => isLive(run)));
  return (
    <div class="run-list">
      {runs.value && runs.value.length > 0 ? (
        <div class="bulk-place">
          <Checkbox checked={all} label={t('runs.selectAll')} onChange={(on) => set(on ? runs.value! : [])} />
          {selected.length > 0 ? (
            <BulkBar
              projectId={projectId}
              selected={selected}
              clear={() => set([])}
              changed={() => {
                runs.reload();
                changed();
              }}
            />
          ) : null}
        </div>
      ) : null}
      <DataTable
        label={t('runs.title')}
        rows={runs}
        columns={columnsOf({ projectId, selected: new Set(selected.map((run) => run.id)), toggle, now })}
        id={(run) => run.id}
        empty={
          <div class="card">
            <Nothing narrowed={isNarrowed(filter)} projectId={projectId} />
          </div>
        }
      />
    </div>
  );
}

function Nothing({ narrowed, projectId }: { narrowed: boolean; projectId: string }) {
  return narrowed ? (
    <Empty icon="search" title={t('runs.none.title')} text={t('runs.none.text')}>
      <Button onClick={clearFilters}>{t('runs.filter.clear')}</Button>
    </Empty>
  ) : (
    <Empty icon="activity" title={t('runs.empty.title')} text={t('runs.empty.text')}>
      <LinkButton to={`/projects/${projectId}/flows`} icon="workflow" needs="READ_FLOW">
        {t('runs.empty.action')}
      </LinkButton>
    </Empty>
  );
}

/** Rows that leave the list are deselected. */
function useSelection(rows: Run[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const last = useRef('');
  const selected = rows.filter((run) => ids.has(run.id));
  const toggle = (run: Run, range: boolean): void => {
    const from = rows.findIndex((each) => each.id === last.current);
    const to = rows.findIndex((each) => each.id === run.id);
    const touched =
      range && from >= 0 ? rows.slice(Math.min(from, to), Math.max(from, to) + 1).map((each) => each.id) : [run.id];
    const on = !ids.has(run.id);
    last.current = run.id;
    setIds((before) => {
      const after = new Set(before);
      touched.forEach((id) => (on ? after.add(id) : after.delete(id)));
      return after;
    });
  };
  return {
    selected,
    toggle,
    all: selected.length > 0 && selected.length === rows.length,
    set: (runs: Run[]) => setIds(new Set(runs.map((run) => run.id))),
  };
}
