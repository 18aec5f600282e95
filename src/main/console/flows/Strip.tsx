import { linkTo } from '../base/router';
import { t } from '../base/text';
import { moment } from '../base/time';
import { lookOf } from '../runs/status';
import type { Run } from './model';

/** Number of bars. */
export const STRIP = 12;

/** Failed and succeeded runs differ in height, not only in color; the newest is on the right. */
export function Strip({ runs, projectId }: { runs: Run[] | undefined; projectId: string }) {
  if (!runs || runs.length === 0) {
    return <span class="faint">{t('flows.noRuns')}</span>;
  }
  const failed = runs.filter((run) => lookOf(run.status).tone === 'red').length;
  const text = `${runs.length - failed} ${t('run.status.SUCCEEDED').toLowerCase()}, ${failed} ${t('run.status.FAILED').toLowerCase()}`;
  return (
    <span class="strip" role="group" aria-label={t('flows.runs.label', { count: runs.length, text })}>
      {runs.map((run) => {
        const look = lookOf(run.status);
        const title = `${t(look.text)}, ${moment(run.created)}`;
        return (
          <a
            key={run.id}
            class={`bar tone-${look.tone}`}
            title={title}
            aria-label={title}
            tabIndex={-1}
            {...linkTo(`/projects/${projectId}/runs/${run.id}`)}
          />
        );
      })}
    </span>
  );
}
