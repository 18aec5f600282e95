import { api } from '../../base/api/client';
import { askIf } from '../../base/permissions';
import { useQuery } from '../../base/query';
import { linkTo } from '../../base/router';
import { t } from '../../base/text';
import { moment } from '../../base/time';
import type { Run } from '../model';
import { StatusBadge } from '../StatusBadge';

const SHOWN_MAX = 10;

export function ReplayLinks({ run }: { run: Run }) {
  const replays = useQuery(`replays ${run.id}`, (signal) =>
    askIf('READ_RUN', () =>
      api('GET /v1/flow-runs', {
        query: { projectId: run.projectId, replayOf: run.id, includeArchived: true, limit: SHOWN_MAX },
        signal,
      }),
    ),
  );
  const found = (replays.value?.data ?? []) as Run[];
  const page = (id: string): string => `/projects/${run.projectId}/runs/${id}`;
  return (
    <>
      {run.replayOf ? (
        <div>
          <dt>{t('replay.of')}</dt>
          <dd class="row">
            <a {...linkTo(page(run.replayOf))}>{t('replay.ofRun')}</a>
          </dd>
        </div>
      ) : null}
      {found.length > 0 ? (
        <div data-replays>
          <dt>{t('replay.replays')}</dt>
          <dd class="row replay-links">
            {found.map((each) => (
              <a key={each.id} {...linkTo(page(each.id))}>
                {moment(each.created)} <StatusBadge status={each.status} />
              </a>
            ))}
            {replays.value?.next ? <span class="faint">{t('replay.more', { count: SHOWN_MAX })}</span> : null}
          </dd>
        </div>
      ) : null}
    </>
  );
}
