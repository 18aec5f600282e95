import { useState } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { Icon } from '../../base/components/Icon';
import { Notice } from '../../base/components/States';
import { count, t } from '../../base/text';
import { Groups } from './Groups';
import { differing, headlineOf, restOf, type Redecision } from './redecision';
import { useRedecision } from './useRedecision';

const REST = ['same', 'answer', 'other', 'unknown'] as const;

const number = (value: number): string => value.toLocaleString('en');

/** Leaving the view cancels the comparison. */
export function ComparisonView({
  flowId,
  projectId,
  title,
}: {
  flowId: string;
  projectId: string;
  title: (name: string) => string;
}) {
  const { comparison, again } = useRedecision(flowId);
  if (!comparison) {
    return null;
  }
  return (
    <section
      class="publish-compare"
      aria-label={t('publish.compare')}
      aria-live="polite"
      data-comparison={comparison.state}>
      {comparison.state === 'running' ? (
        <p class="row faint">
          <Icon name="loader-circle" spin />
          {comparison.counts ? t('publish.progress', { runs: number(comparison.counts.runs) }) : t('publish.preparing')}
        </p>
      ) : comparison.state === 'failed' ? (
        <>
          <p>{t('publish.failed')}</p>
          {comparison.failure ? (
            <Notice failure={comparison.failure} />
          ) : comparison.message ? (
            <Notice>{comparison.message}</Notice>
          ) : null}
          <div>
            <Button size="small" icon="refresh-cw" onClick={again}>
              {t('publish.again')}
            </Button>
          </div>
        </>
      ) : (
        <Result result={comparison.result} projectId={projectId} title={title} />
      )}
    </section>
  );
}

function Result({
  result,
  projectId,
  title,
}: {
  result: Redecision;
  projectId: string;
  title: (name: string) => string;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const groups = differing(result.groups);
  const rest = restOf(result);
  const headline = headlineOf(result);
  return (
    <>
      <p class="publish-headline" data-headline={headline}>
        <Icon name={headline === 'branch' ? 'split' : 'history'} />
        <span>
          {headline === 'noRuns'
            ? t('publish.noRuns')
            : count(`publish.${headline}` as const, result.runs, {
                changed: number(result.otherBranch),
                runs: number(result.runs),
              })}
        </span>
      </p>
      {groups.length === 0 ? null : (
        <>
          <p class="faint">
            {REST.filter((kind) => rest[kind] > 0)
              .map((kind) => count(`publish.rest.${kind}` as const, rest[kind], { runs: number(rest[kind]) }))
              .join(', ')}
          </p>
          <div>
            <Button
              size="small"
              icon={isOpen ? 'chevron-down' : 'chevron-right'}
              more={{ 'aria-expanded': isOpen, 'data-groups': '' }}
              onClick={() => setIsOpen(!isOpen)}>
              {t(isOpen ? 'publish.groupsNot' : 'publish.groups')}
            </Button>
          </div>
          {isOpen ? <Groups groups={groups} projectId={projectId} title={title} /> : null}
        </>
      )}
    </>
  );
}
